import { expect, it } from "vitest";
import { judgeRun } from "../../../src/check/oracles/judge-run.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, normalizeState, type ObjectState } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";

const id = "example.com/caches default/a";
const stateWith = (spec: object): ObjectState =>
  normalizeState(new Map([[id, { apiVersion: "example.com/v1", kind: "Cache", metadata: { name: "a" }, spec }]]));

const recordOf = (last: ObjectState, quiet: boolean): RunRecord => ({
  steps: [{ name: "change back", state: last, quiet, ended: 0 }],
  requests: [],
  breakdowns: [],
  errors: [],
  unreached: new Map(),
  watched: new Set(),
  leases: false,
  struck: false,
  unsupported: [],
});

/** Returns the causes of what is wrong after a field of `a` was set and taken back. */
function causesAfterChangeBack(usual: object, state: object): string[] {
  const target = { apiVersion: "example.com/v1", kind: "Cache", namespace: "default", name: "a" };
  const back = { name: "change back", action: { type: "patch", target, patch: {} }, reaches: "create" } as const;
  const plan: Plan = { id: "p", faultClass: "exploration", description: "d", steps: [back, back] };
  const expectation = { states: new Map([["create", stateWith(usual)]]), mask: maskOf([]) };
  const record = recordOf(stateWith(state), false);
  return judgeRun({ plan, record }, record, expectation).map(({ about }) => about);
}

it("takes defaults that are set at creation only for one cause", () => {
  const usual = { policy: "Any", size: 1 };
  const about = "example.com/caches defaults that are not set again";
  expect(causesAfterChangeBack(usual, { size: 1 })).toEqual([about]);
  expect(causesAfterChangeBack(usual, { policy: "Any" })).toEqual([about]);
});

it("tells a field that keeps a value from one that loses its default", () => {
  expect(causesAfterChangeBack({ size: 1 }, { size: 2 })).toEqual(["example.com/caches spec.size"]);
});
