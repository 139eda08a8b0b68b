import { expect, it } from "vitest";
import {
  ownerVerdict,
  type OwnerState,
  type OwnerVerdict,
} from "../../../../../src/sandbox/simulation/housekeeping/dependency-graph.ts";

const owner = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", name, uid: name });
const owners = (...states: OwnerState[]) => states.map((state, index) => ({ owner: owner(`o${index}`), state }));

it.each<[string, OwnerState[], { finalizers?: string[]; hasDependents?: boolean }, OwnerVerdict]>([
  ["no owners", [], {}, { type: "keep" }],
  ["a living owner", ["solid"], {}, { type: "keep" }],
  ["an owner that is gone", ["absent"], {}, { type: "delete", propagationPolicy: "Background" }],
  ["one gone of two", ["absent", "solid"], {}, { type: "drop-owners", owners: [owner("o0")] }],
  ["one waiting of two", ["solid", "waiting"], {}, { type: "drop-owners", owners: [owner("o1")] }],
  ["all gone or waiting", ["absent", "waiting"], {}, { type: "delete", propagationPolicy: "Background" }],
  [
    "a waiting owner, and dependents of its own",
    ["waiting"],
    { hasDependents: true },
    { type: "delete", propagationPolicy: "Foreground" },
  ],
  ["its own orphan finalizer", ["absent"], { finalizers: ["orphan"] }, { type: "delete", propagationPolicy: "Orphan" }],
  [
    "its own foreground finalizer",
    ["absent"],
    { finalizers: ["foregroundDeletion"] },
    { type: "delete", propagationPolicy: "Foreground" },
  ],
])("with %s", (_, states, { finalizers = [], hasDependents = false }, expected) => {
  expect(ownerVerdict({ owners: owners(...states), finalizers, hasDependents })).toEqual(expected);
});
