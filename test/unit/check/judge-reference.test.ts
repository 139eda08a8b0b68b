import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { judgeReference } from "../../../src/check/oracles/judge-reference.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const id = "/secrets default/a";
const secretWith = (...finalizers: string[]): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "default", name: "a", finalizers },
});
const steps = [{ name: "delete", action: { type: "delete", targets: [] } }] as const;

/** Returns what is said of a Secret that is left, after the operator has written it. */
function leftOver(
  before: UnstructuredObject | undefined,
  after: UnstructuredObject,
  end = after,
  others: Record<string, UnstructuredObject> = {},
): object[] {
  const write = { at: 0, step: "create", by: "operator", verb: "", signature: "", occurrence: 1, status: 200 } as const;
  const state = normalizeState(new Map([[id, end], ...Object.entries(others)]));
  const record = {
    ...emptyRecord,
    requests: [{ ...write, changes: [{ id, before, after }] }],
    steps: [{ name: "delete", state, quiet: true, ended: 0 }],
  };
  return judgeReference({ steps }, record, maskOf([])).map(({ sentence, hint }) => ({ sentence, hint }));
}

it("explains why an object of the operator may be left over", () => {
  const sentence = `${id}, which the operator has created, is left after the custom resource was deleted.`;
  expect(leftOver(undefined, secretWith())).toEqual([
    { sentence, hint: "it has no owner reference, and no finalizer deletes it" },
  ]);
});

it("reports only the crash if the operator crashes", () => {
  const record = {
    ...emptyRecord,
    steps: [{ name: "delete", state: normalizeState(new Map()), quiet: false, ended: 0 }],
    breakdowns: [{ at: 0, step: "delete", how: "exited with code 1", lines: [] }],
  };
  const oraclesOf = (record: RunRecord): string[] =>
    judgeReference({ steps }, record, maskOf([])).map(({ oracle }) => oracle);
  expect(oraclesOf(record)).toEqual(["breakdown"]);
  expect(oraclesOf({ ...record, breakdowns: [] })).toEqual(["restless"]);
});

it("treats an object as left over only if no existing object owns it", () => {
  const owner = { apiVersion: "batch/v1", kind: "Job", name: "job", uid: "u" };
  const secret = secretWith();
  const owned = { ...secret, metadata: { ...secret.metadata, ownerReferences: [owner] } };
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { namespace: "default", name: "job", uid: "u" } };
  expect(leftOver(undefined, owned)).toHaveLength(1);
  expect(leftOver(undefined, owned, owned, { "batch/jobs default/job": job })).toEqual([]);
});

it("finds a finalizer that the operator leaves on a user's object", () => {
  const sentence = `${id}, to which the operator has added the finalizer b, still has it after the custom resource was deleted.`;
  expect(leftOver(secretWith("a"), secretWith("a", "b"))).toEqual([{ sentence, hint: undefined }]);
  expect(leftOver(secretWith("a"), secretWith("a", "b"), secretWith("a"))).toEqual([]);
});

it.each([
  [
    "finds a change that leaves a trace",
    "sample",
    [{ sentence: "After a field is changed and changed back, /secrets default/a is missing." }],
  ],
  ["says nothing if the operator has deleted the sample, as its time was over", "gone", []],
])("%s", (_, name, expected) => {
  const target = { apiVersion: "example.com/v1", kind: "Cache", name };
  const sample = { apiVersion: "example.com/v1", kind: "Cache", metadata: { namespace: "default", name: "sample" } };
  const stateWith = (...objects: [string, UnstructuredObject][]) =>
    normalizeState(new Map([["example.com/caches default/sample", sample], ...objects]));
  const before = { name: "create", state: stateWith([id, secretWith()]), quiet: true, ended: 0 };
  const after = { name: "change back", state: stateWith(), quiet: true, ended: 0 };
  const action = { type: "patch", target, patch: {}, ifPresent: true } as const;
  const found = judgeReference(
    { steps: [{ name: "change back", action }] },
    { ...emptyRecord, steps: [before, after] },
    maskOf([]),
  );
  expect(found.map(({ sentence }) => ({ sentence }))).toEqual(expected);
});
