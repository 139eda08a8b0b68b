import { expect, it } from "vitest";
import { whyUnstruck } from "../../../src/check/oracles/why-unstruck.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";
import { emptyRecord } from "./empty-record.ts";

const stateWith = (data: object) => {
  const metadata = { namespace: "n", name: "a" };
  return normalizeState(new Map([["/configmaps n/a", { apiVersion: "v1", kind: "ConfigMap", metadata, data }]]));
};
const step = { name: "create", reaches: "create", action: { type: "apply", objects: [] } } as const;
const plan: Plan = { id: "p", faultClass: "restart", description: "d", steps: [step, { ...step, name: "change" }] };
const expectation = { states: new Map([["create", stateWith({ size: "1" })]]), mask: maskOf([]) };

it.each([
  ["nothing, if the fault had no occasion", { size: "1" }, true, undefined],
  ["the field that differs", { size: "2" }, false, "ends with another state (/configmaps data.size)"],
  ["an operator that goes on", { size: "1" }, false, "does not come to rest"],
])("tells why a run ended before its fault: %s", (_, data, quiet, how) => {
  const record = { ...emptyRecord, steps: [{ name: "create", state: stateWith(data), quiet, ended: 0 }] };
  const why = how && `before its fault, the step “create” ${how}`;
  expect(whyUnstruck(plan, record, expectation)).toBe(why);
});
