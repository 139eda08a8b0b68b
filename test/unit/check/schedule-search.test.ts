import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { causeOf, type Violation } from "../../../src/check/oracles/violation.ts";
import { makePlans } from "../../../src/check/plans/make-plans.ts";
import { usualTimes, type Fault, type Plan } from "../../../src/check/plans/plan.ts";
import { ScheduleSearch } from "../../../src/check/schedule-search.ts";
import type { Step } from "../../../src/check/scenario/scenario.ts";
import type { RecordedRequest, RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const target = { apiVersion: "example.com/v1", kind: "App", name: "a" };
const steps: Step[] = [
  { name: "create", action: { type: "apply", objects: [] } },
  { name: "change", action: { type: "patch", target, patch: {} } },
  { name: "change back", action: { type: "patch", target, patch: {} } },
  { name: "delete", action: { type: "delete", targets: [target] } },
];
const objectOf = (name: string): UnstructuredObject => ({ apiVersion: "v1", kind: "K", metadata: { name } });
const write = (step: string, verb: string, name: string): RecordedRequest => ({
  at: 0,
  step,
  by: "operator",
  verb,
  signature: `${verb} v1/secrets/${name}`,
  occurrence: 1,
  status: 200,
  changes: [{ id: `/secrets d/${name}`, before: undefined, after: objectOf(name) }],
});
const reference: RunRecord = {
  ...emptyRecord,
  watched: new Set(["v1/secrets", "apps/v1/deployments"]),
  requests: [
    write("create", "create", "a"),
    write("create", "update", "b"),
    write("change", "update", "a"),
    write("change back", "update", "a"),
    write("delete", "delete", "a"),
  ],
};
const singles = makePlans({ steps }, reference, []);
const searchOf = (violationsOf: (plan: Plan) => Promise<Violation[]> = async () => []): ScheduleSearch =>
  new ScheduleSearch({ scenario: { steps }, reference, singles, seed: 1, violationsOf });
const drawn = Array.from({ length: 4_000 }, (_, number) => searchOf().draw(number));

it("draws the same plan for a number and a seed", () => {
  expect(searchOf().draw(7)).toEqual(drawn[7]);
  expect(new Set(drawn.map((plan) => JSON.stringify({ ...plan, id: "" }))).size).toBe(drawn.length);
});

it("mostly draws two faults, one of them at a write, and never two at the same one", () => {
  const faultsOf = ({ faults = [] }: Plan): readonly Fault[] => faults;
  expect(drawn.filter((plan) => faultsOf(plan).length === 2).length).toBeGreaterThan(2_000);
  expect(drawn.every((plan) => faultsOf(plan).length <= 2)).toBe(true);
  expect(drawn.filter((plan) => faultsOf(plan).some((fault) => "at" in fault)).length).toBeGreaterThan(3_000);
  for (const plan of drawn) {
    const points = faultsOf(plan).flatMap((fault) => ("at" in fault ? [JSON.stringify(fault.at)] : []));
    expect(new Set(points).size).toBe(points.length);
  }
});

it("takes only the steps that its faults need", () => {
  for (const { faults = [], steps: taken } of drawn)
    for (const fault of faults) if ("at" in fault) expect(taken.map(({ name }) => name)).toContain(fault.at.step);
  const lengths = drawn.map(({ steps: taken }) => taken.length);
  expect(new Set(lengths)).toEqual(new Set([1, 2, 3, 4]));
});

const violation: Violation = { oracle: "wrong-state", about: "a", sentence: "s" };

it("shrinks a plan to the faults, the delays and the steps that a violation needs", async () => {
  const isNeeded = ({ faults = [] }: Plan): boolean =>
    faults.some(({ type }) => type === "lost-answer") && faults.some(({ type }) => type === "lag");
  const plan = drawn.find((each) => isNeeded(each) && each.steps.length > 2 && each.schedule!.computingMs > 0)!;
  const search = searchOf(async (each) => (isNeeded(each) ? [violation] : []));
  const shown = await search.shrink({ plan, violation });
  expect(shown.plan.faultClass).toBe("schedule");
  expect(shown.plan.faults).toEqual(plan.faults);
  expect(shown.plan.schedule).toEqual({ ...usualTimes, seed: plan.schedule!.seed });
  const points = plan.faults!.flatMap((fault) => ("at" in fault ? [fault.at.step] : []));
  expect(shown.plan.steps.map(({ name }) => name)).toEqual([...new Set(["create", ...points])]);
});

it("gives a violation that needs one fault the class of the fault", async () => {
  const hasCrash = ({ faults = [] }: Plan): boolean => faults.some(({ type }) => type === "crash");
  const plan = drawn.find((each) => hasCrash(each) && each.faults!.length === 2)!;
  const search = searchOf(async (each) => (hasCrash(each) ? [violation] : []));
  const shown = await search.shrink({ plan, violation });
  expect(shown.plan.faultClass).toBe("crash");
  expect(shown.plan.faults).toHaveLength(1);
  expect(causeOf(shown.violation)).toBe(causeOf(violation));
});

it("keeps a step without which other steps go wrong even without a fault", async () => {
  const plan = drawn.find(({ faults = [], steps: taken }) => faults.length > 0 && taken.length === 4)!;
  const search = searchOf(async ({ steps: taken, faults = [] }) =>
    faults.length > 0 || taken.length < plan.steps.length ? [violation] : [],
  );
  const shown = await search.shrink({ plan, violation });
  expect(shown.plan.steps.map(({ name }) => name)).toEqual(steps.map(({ name }) => name));
});
