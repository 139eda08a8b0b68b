import { expect, it } from "vitest";
import { driftPlans } from "../../../src/check/plans/drift-plans.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";

const create = { name: "create", action: { type: "apply", objects: [] } } as const;

const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Run", name: "r", uid: "run" }];

/** Returns the plans for an object of an operator, whose owner has a status, too. */
function plansFor(kind: string, status: object | undefined, ownerStatus?: object): string[] {
  const object = { apiVersion: "v1", kind, metadata: { namespace: "default", name: "a", uid: "a", ownerReferences } };
  const run = { apiVersion: "example.com/v1", kind: "Run", metadata: { namespace: "default", name: "r", uid: "run" } };
  const write = { at: 0, step: "create", verb: "create", signature: "", occurrence: 1, status: 200 };
  const record: RunRecord = {
    steps: [],
    requests: [
      { ...write, by: "user", changes: [{ id: "run", before: undefined, after: { ...run, status: ownerStatus } }] },
      { ...write, by: "operator", changes: [{ id: "a", before: undefined, after: object }] },
      { ...write, by: "cluster", changes: [{ id: "a", before: object, after: { ...object, status } }] },
    ],
    breakdowns: [],
    errors: [],
    unreached: new Map(),
    watched: new Set(),
    leases: false,
    unsupported: [],
    struck: false,
  };
  return driftPlans({ steps: [create] }, record).map(({ id }) => id);
}

const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });

it.each([
  ["Pod", { phase: "Running" }],
  ["Job", condition("Complete", "False")],
  ["ConfigMap", undefined],
  ["Deployment", condition("Failed", "True")],
])("deletes a %s with %j", (kind, status) => {
  expect(plansFor(kind, status)).toEqual(["drift:delete:a"]);
});

it.each([
  ["Pod", { phase: "Succeeded" }],
  ["Pod", { phase: "Failed" }],
  ["Job", condition("Complete", "True")],
  ["Job", condition("Failed", "True")],
])("leaves a %s alone that has ended: %j", (kind, status) => {
  expect(plansFor(kind, status)).toEqual([]);
});

it.each([
  [condition("Completed", "True"), []],
  [condition("Completed", "False"), ["drift:delete:a"]],
  [condition("Failed", "True"), ["drift:delete:a"]],
  [undefined, ["drift:delete:a"]],
])("of a custom resource with %j, deletes %j", (ownerStatus, expected) => {
  expect(plansFor("Service", undefined, ownerStatus)).toEqual(expected);
});
