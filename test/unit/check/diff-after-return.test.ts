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
const certificate = (revision: number): UnstructuredObject => ({
  apiVersion: "example.com/v1",
  kind: "Certificate",
  metadata: { name: "a", namespace: "n" },
  status: { revision },
});
const request = (revision: number, key = "same"): UnstructuredObject => ({
  apiVersion: "example.com/v1",
  kind: "Request",
  metadata: { name: `a-${revision}`, namespace: "n", annotations: { revision: String(revision) } },
  spec: { key, replicas: 3 },
});
const plurals = {
  Job: "batch/jobs",
  PersistentVolumeClaim: "/persistentvolumeclaims",
  Certificate: "example.com/certificates",
  Request: "example.com/requests",
} as Record<string, string>;

function idsAfterReturn(before: UnstructuredObject[], after: UnstructuredObject[]): string[] {
  const stateOf = (objects: UnstructuredObject[]) =>
    normalizeState(new Map(objects.map((object) => [`${plurals[object.kind!]} n/${object.metadata.name}`, object])));
  return diffAfterReturn(stateOf(before), stateOf(after), maskOf([])).map(({ id }) => id);
}

it("treats finished jobs as history, and running ones as work", () => {
  expect(idsAfterReturn([job("a", "Complete")], [job("b", "Complete"), job("c", "Failed")])).toEqual([]);
  expect(idsAfterReturn([job("a", "Complete")], [job("b", "Suspended")])).toEqual(["batch/jobs n/b"]);
});

it("accepts extra claims of former replicas, but no missing claim", () => {
  expect(idsAfterReturn([claim("data-0")], [claim("data-0"), claim("data-1")])).toEqual([]);
  expect(idsAfterReturn([claim("data-0")], [])).toEqual(["/persistentvolumeclaims n/data-0"]);
});

it.each([
  ["the last one takes the place of the one before", [request(1)], [request(3)], []],
  ["older ones may stay", [request(1)], [request(1), request(2), request(3)], []],
  ["older ones may go", [request(0), request(1)], [request(2), request(3)], []],
  ["its fields are compared", [request(1)], [request(3, "other")], ["example.com/requests n/a-1"]],
  ["none may be lost", [request(1)], [], ["example.com/certificates n/a", "example.com/requests n/a-1"]],
])("treats numbered objects as revisions if a status counts them: %s", (_, before, after, ids) => {
  expect(idsAfterReturn([certificate(1), ...before], [certificate(3), ...after])).toEqual(ids);
});

it("treats numbered objects as parts if no status counts them", () => {
  const ids = ["example.com/requests n/a-1", "example.com/requests n/a-2"];
  expect(idsAfterReturn([certificate(1), request(1)], [certificate(1), request(2)]).sort()).toEqual(ids);
});
