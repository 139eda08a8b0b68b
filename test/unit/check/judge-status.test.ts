import { describe, expect, it } from "vitest";
import { outdatedCopies } from "../../../src/check/oracles/judge-status.ts";
import type { Step } from "../../../src/check/scenario/scenario.ts";
import { normalizeState, type ObjectState } from "../../../src/check/world/object-state.ts";
import type { RecordedRequest, RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const id = "example.com/caches default/a";
const target = { apiVersion: "example.com/v1", kind: "Cache", namespace: "default", name: "a" };
const applied = { apiVersion: "example.com/v1", kind: "Cache", metadata: { name: "a" } };
const create: Step = { name: "create", action: { type: "apply", objects: [applied] } };
const changeOf = (spec: object): Step => ({ name: "change", action: { type: "patch", target, patch: { spec } } });
const writing = { by: "operator", changes: [{ id, before: undefined, after: undefined }] } as Partial<RecordedRequest>;

/** A custom resource, the status that the operator gives it, and a field of an object of the operator's. */
interface Shown {
  readonly spec: object;
  readonly status: object;
  readonly child?: object;
}

function stateOf({ spec, status, child }: Shown, generation: number): ObjectState {
  const objects = new Map<string, object>([[id, { kind: "Cache", metadata: { name: "a", generation }, spec, status }]]);
  if (child) objects.set("/configmaps default/a", { kind: "ConfigMap", metadata: { name: "a" }, ...child });
  return normalizeState(objects as Parameters<typeof normalizeState>[0]);
}

function recordOf(before: Shown, after: Shown, more: Partial<RunRecord> = {}): RunRecord {
  const stepOf = (name: string, state: ObjectState) => ({ name, state, quiet: true, ended: 0 });
  const steps = [stepOf("create", stateOf(before, 1)), stepOf("change", stateOf(after, 2))];
  return { ...emptyRecord, steps, requests: [writing as RecordedRequest], ...more };
}

const before = { spec: { size: 2 }, status: { size: 2 }, child: { data: { size: "2" } } };
const after = { spec: { size: 3 }, status: { size: 2 }, child: { data: { size: "3" } } };
const change = [create, changeOf({ size: 3 })];

describe("a field of a status that repeats a field of the spec", () => {
  it("follows it, like an object of the operator", () => {
    const sentence =
      "After the step “change”, status.size of example.com/caches default/a is still 2, although spec.size is 3: both were 2 before.";
    expect(outdatedCopies(change, recordOf(before, after))).toEqual([
      { oracle: "outdated-status", about: "example.com/caches status.size", sentence },
    ]);
  });

  it("follows it in a status that describes the change", () => {
    const statusOf = (observedGeneration: number) => ({ size: 2, observedGeneration });
    const [old, now] = [
      { ...before, child: {} },
      { ...after, child: {} },
    ];
    const recordWith = (generation: number): RunRecord =>
      recordOf({ ...old, status: statusOf(1) }, { ...now, status: statusOf(generation) });
    expect(outdatedCopies(change, recordWith(2))).toHaveLength(1);
    expect(outdatedCopies(change, recordWith(1))).toEqual([]);
    expect(outdatedCopies(change, recordOf(old, now))).toEqual([]);
  });

  it("follows it as a part of a longer text", () => {
    const spec = { storage: { type: "fast" } };
    const old = { spec, status: spec, child: { data: { args: "--type=fast --size=2" } } };
    const now = {
      spec: { storage: { type: "slow" } },
      status: spec,
      child: { data: { args: "--type=slow --size=2" } },
    };
    expect(outdatedCopies([create, changeOf({ storage: { type: "slow" } })], recordOf(old, now))).toHaveLength(1);
  });

  const withStatus = (shown: Shown, status: object): Shown => ({ ...shown, status: { ...shown.status, ...status } });
  const ready = (status: string, reason: string) => ({ conditions: [{ type: "Ready", status, reason }] });
  it.each<[string, Shown, Shown]>([
    ["follows", before, { ...after, status: { size: 3 } }],
    ["has another name", { ...before, status: { initialSize: 2 } }, { ...after, status: { initialSize: 2 } }],
    ["has another place", { ...before, status: { first: { size: 2 } } }, { ...after, status: { first: { size: 2 } } }],
    ["had another value before", { ...before, status: { size: 4 } }, { ...after, status: { size: 4 } }],
    [
      "is true or false",
      { ...before, spec: { size: false }, status: { size: false } },
      { ...after, spec: { size: true }, status: { size: false } },
    ],
    [
      "is in a status with another phase",
      withStatus(before, { phase: "Ready" }),
      withStatus(after, { phase: "Resizing" }),
    ],
    [
      "is in a status that refuses the change",
      withStatus(before, ready("True", "Done")),
      withStatus(after, ready("True", "SizeIsFixed")),
    ],
    [
      "is in a status that is no more ready",
      withStatus(before, ready("True", "Done")),
      withStatus(after, ready("False", "Done")),
    ],
    ["tells of an object that keeps the value", before, { ...after, child: before.child }],
    [
      "tells of one object that keeps the value, of two",
      { ...before, child: { data: { size: "2", least: "2" } } },
      { ...after, child: { data: { size: "2", least: "3" } } },
    ],
    [
      "is missing, as the field of the spec was before",
      { spec: {}, status: { observedGeneration: 1 } },
      { spec: { size: 3 }, status: { observedGeneration: 2 } },
    ],
    [
      "is left of a field of the spec that is gone",
      { ...before, status: { size: 2, observedGeneration: 1 }, child: {} },
      { spec: {}, status: { size: 2, observedGeneration: 2 }, child: {} },
    ],
    ["is in a resource that nobody has changed", before, { ...after, spec: { size: 2 } }],
  ])("is right if it %s", (_, old, now) => {
    expect(outdatedCopies(change, recordOf(old, now))).toEqual([]);
  });

  it.each<[string, Partial<RunRecord>]>([
    ["the operator does not write the resource", { requests: [] }],
    ["the operator cannot reach its programs", { unreached: new Map([["change", "no such host"]]) }],
    [
      "the operator does not rest, which another rule reports",
      { steps: recordOf(before, after).steps.map((step) => ({ ...step, quiet: false })) },
    ],
  ])("is not judged if %s", (_, more) => {
    expect(outdatedCopies(change, recordOf(before, after, more))).toEqual([]);
  });
});
