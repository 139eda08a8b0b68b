import { expect, it } from "vitest";
import { whyUnjudged } from "../../../src/check/oracles/why-unjudged.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const stateWith = (data: object) => {
  const metadata = { namespace: "n", name: "a" };
  return normalizeState(new Map([["/configmaps n/a", { apiVersion: "v1", kind: "ConfigMap", metadata, data }]]));
};
const step = { name: "create", reaches: "create", action: { type: "apply", objects: [] } } as const;
const plan: Plan = {
  id: "p",
  faultClass: "restart",
  description: "d",
  steps: [step, { ...step, name: "change" }],
  faults: [{ type: "restart", step: "change" }],
};
const expectation = { states: new Map([["create", stateWith({ size: "1" })]]), mask: maskOf([]) };

it.each([
  ["nothing, if the fault had no occasion", { size: "1" }, true, undefined],
  ["the field that differs", { size: "2" }, false, "ends with another state (/configmaps data.size)"],
  ["an operator that goes on", { size: "1" }, false, "does not come to rest"],
])("explains why a run ended before its fault: %s", (_, data, quiet, how) => {
  const record = { ...emptyRecord, steps: [{ name: "create", state: stateWith(data), quiet, ended: 0 }] };
  const why = how && `before its fault, the step “create” ${how}`;
  expect(whyUnjudged(plan, record, expectation)).toBe(why);
  expect(whyUnjudged(plan, { ...record, struck: [true] }, expectation)).toBeUndefined();
});

it.each([
  ["had no occasion, if its step has ended as usual", { size: "1" }, undefined],
  [
    "comes after another state",
    { size: "2" },
    "before its fault, the step “create” ends with another state (/configmaps data.size)",
  ],
])("explains that an early deletion %s", (_, data, why) => {
  const at = { step: "create", signature: "update", occurrence: 5 };
  const early: Plan = {
    ...plan,
    faultClass: "deletion",
    steps: [{ ...step, reaches: "delete" }],
    faults: [{ type: "deletion", at, targets: [] }],
  };
  const states = new Map([...expectation.states, ["delete", stateWith({})]]);
  const record = { ...emptyRecord, steps: [{ name: "create", state: stateWith(data), quiet: false, ended: 0 }] };
  expect(whyUnjudged(early, record, { ...expectation, states })).toBe(why);
});

it("explains that a step requested more pods than the simulation starts", () => {
  const requests = Array.from({ length: 200 }, (_, index) => {
    const changes = [{ id: `/pods n/${index}`, before: undefined, after: undefined }];
    return { at: 0, step: "create", by: "cluster", verb: "create", signature: "", occurrence: 0, status: 201, changes };
  }) as RunRecord["requests"];
  const steps = [{ name: "create", state: stateWith({}), quiet: false, ended: 0 }];
  const why = "the simulation is too slow for this many pods";
  expect(whyUnjudged(plan, { ...emptyRecord, steps, requests, struck: [true] }, expectation)).toBe(why);
  expect(whyUnjudged(plan, { ...emptyRecord, steps, requests: requests.slice(0, 9) }, expectation)).not.toBe(why);
});
