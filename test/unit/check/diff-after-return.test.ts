import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { diffAfterReturn } from "../../../src/check/world/diff-after-return.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";

const job = (name: string, condition?: string): UnstructuredObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, namespace: "n" },
  status: { conditions: condition === undefined ? [] : [{ type: condition, status: "True" }] },
});
const claim = (name: string): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace: "n" },
});
const plurals = { Job: "batch/jobs", PersistentVolumeClaim: "/persistentvolumeclaims" } as Record<string, string>;

function idsAfterReturn(before: UnstructuredObject[], after: UnstructuredObject[]): string[] {
  const stateOf = (objects: UnstructuredObject[]) =>
    normalizeState(new Map(objects.map((object) => [`${plurals[object.kind!]} n/${object.metadata.name}`, object])));
  return diffAfterReturn(stateOf(before), stateOf(after), maskOf([])).map(({ id }) => id);
}

it("takes jobs that have ended for history, and others for work", () => {
  expect(idsAfterReturn([job("a", "Complete")], [job("b", "Complete"), job("c", "Failed")])).toEqual([]);
  expect(idsAfterReturn([job("a", "Complete")], [job("b", "Suspended")])).toEqual(["batch/jobs n/b"]);
});

it("lets the claims of more replicas stay, and none be lost", () => {
  expect(idsAfterReturn([claim("data-0")], [claim("data-0"), claim("data-1")])).toEqual([]);
  expect(idsAfterReturn([claim("data-0")], [])).toEqual(["/persistentvolumeclaims n/data-0"]);
});
