import { expect, it } from "vitest";
import type { Step } from "../../../src/check/scenario/scenario.ts";
import { makePlans } from "../../../src/check/plans/make-plans.ts";
import { stepsTo } from "../../../src/check/plans/steps-to.ts";
import { normalizeState } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const target = { apiVersion: "example.com/v1", kind: "Cache", namespace: "default", name: "a" };
const patch = { type: "patch", target, patch: {} } as const;
const steps: Step[] = [
  { name: "create", action: { type: "apply", objects: [] } },
  { name: "change", action: patch },
  { name: "change back", action: patch },
  { name: "delete", action: { type: "delete", targets: [target] } },
];

/** Makes a reference run in which a ConfigMap has these texts at the ends of the steps; without one, it is absent. */
const referenceWith = (...texts: (string | undefined)[]): RunRecord => ({
  ...emptyRecord,
  steps: texts.map((text, index) => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "extra" }, data: { text: text ?? "" } };
    const state = normalizeState(new Map(text === undefined ? [] : [["/configmaps default/extra", object]]));
    return { name: steps[index]!.name, state, quiet: true, ended: 0 };
  }),
});

it.each([
  ["nothing is left", ["one", "two", "one", undefined], "change", ["create", "change", "delete"]],
  ["what is left stays as it was", ["one", "one", "one", "one"], "change", ["create", "change", "delete"]],
  [
    "what is left is changed later",
    ["one", "two", "one", "one"],
    "change",
    ["create", "change", "change back", "delete"],
  ],
  [
    "what is left came with the change",
    [undefined, "two", "two", "two"],
    "change",
    ["create", "change", "change back", "delete"],
  ],
  ["what is left was changed before", ["one", "two", "one", "one"], "create", ["create", "delete"]],
  ["the step is the last one", ["one", "two", "one", "one"], "delete", ["create", "change", "change back", "delete"]],
])("takes the steps that lead to the end of the reference if %s", (_, texts, name, expected) => {
  expect(stepsTo(name, steps, referenceWith(...texts)).map((step) => step.name)).toEqual(expected);
});

it.each([
  [12, ["create", "change", "change back", "delete"]],
  [2, ["create", "change", "delete"]],
])(
  "takes all steps if the operator fails %i times in the state of the step, as without credentials",
  (count, expected) => {
    const errors = [{ step: "change", message: 'secrets "a" not found', count, last: 0 }];
    const reference = { ...referenceWith("one", "one", "one", undefined), errors };
    expect(stepsTo("change", steps, reference).map((step) => step.name)).toEqual(expected);
  },
);

it("deletes early only if that leads to the end of the reference", () => {
  const change = { id: "/configmaps default/extra", before: undefined, after: undefined };
  const request = { at: 0, step: "change", by: "operator", verb: "update", signature: "update extra" } as const;
  const deletionsWith = (...texts: (string | undefined)[]): string[] =>
    makePlans(
      { steps },
      { ...referenceWith(...texts), requests: [{ ...request, occurrence: 1, status: 200, changes: [change] }] },
      [],
    ).flatMap(({ faultClass, id }) => (faultClass === "deletion" ? [id] : []));
  expect(deletionsWith("one", "two", "one", undefined)).toEqual(["deletion:early:change:update extra#1"]);
  expect(deletionsWith("one", "two", "one", "one")).toEqual([]);
});
