import { expect, it } from "vitest";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { choiceFor, parseReplay, testOf, type Replay } from "../../../src/check/report/replay.ts";
import { formatCall, formatReplay, type RunChoice } from "../../../src/check/report/run-choice.ts";
import { checkCommand } from "../../../src/cli/commands/check.ts";
import type { Io } from "../../../src/cli/io.ts";

const replay = {
  title: "drift: somebody deletes Deployment sample",
  scenario: { steps: [] },
  plan: { id: "drift:delete", faultClass: "drift", description: "somebody deletes Deployment sample", steps: [] },
};

it("reads the file of a finding", () => {
  expect(parseReplay(JSON.stringify(replay), "1-drift.json")).toEqual(replay);
});

const damaged = [
  { ...replay, title: {} },
  { ...replay, scenario: { steps: {} } },
  { ...replay, plan: { ...replay.plan, steps: [null] } },
  { ...replay, scenario: { steps: [{ name: "create", action: { type: "apply" } }] } },
  { ...replay, scenario: { steps: [{ name: "create", action: { type: "apply", objects: [{ kind: "A" }] } }] } },
].map((one) => JSON.stringify(one));

it.each(["", "[]", "null", "{}", '{"title":"a"}', ...damaged])("refuses another file: %s", (text) => {
  expect(() => parseReplay(text, "a.json")).toThrow("a.json can't be used: it holds no finding");
});

const kept = { file: ".tsop/check/findings/1-drift.json", root: "" };

it("prints the test of a finding", () => {
  const lines = testOf(kept, parseReplay(JSON.stringify(replay), "a"), { args: [], env: {}, upgradeFrom: {} });
  expect(lines).toContain("cp .tsop/check/findings/1-drift.json test/findings/1-drift.json\n");
  expect(lines).toContain('it("drift: somebody deletes Deployment sample", { timeout: 120_000 }, async () => {\n');
  expect(lines).toContain('checkOperator({ replay: "test/findings/1-drift.json" })');
});

it("prints a test for the folder of the project, also in a folder below it", () => {
  const lines = testOf({ file: "../.tsop/check/findings/1-drift.json", root: ".." }, replay as unknown as Replay, {});
  expect(lines).toContain(
    "mkdir -p ../test/findings && cp ../.tsop/check/findings/1-drift.json ../test/findings/1-drift.json\n",
  );
});

const chosen: RunChoice = {
  exec: "./bin/manager --webhook-port $TSOP_WEBHOOK_PORT",
  apply: ["config/crd/bases", "its objects.yaml"],
  jobs: 1,
  env: { ENABLE_WEBHOOKS: "false", GREETING: "it's" },
};
const older = { revision: undefined, exec: "./manager-1.2.0", apply: ["crds-1.2.0"] };

it("repeats the choices of a run", () => {
  expect(formatReplay("1.json", { ...chosen, upgradeFrom: older })).toBe(
    "ENABLE_WEBHOOKS=false GREETING='it'\\''s' tsop check --exec './bin/manager --webhook-port $TSOP_WEBHOOK_PORT'" +
      " --apply config/crd/bases --apply 'its objects.yaml'" +
      " --upgrade-from-exec ./manager-1.2.0 --upgrade-from-apply crds-1.2.0 --jobs 1 --replay 1.json",
  );
  expect(formatCall("1.json", { ...chosen, upgradeFrom: older })).toBe(`checkOperator({
      exec: "./bin/manager --webhook-port $TSOP_WEBHOOK_PORT",
      apply: ["config/crd/bases", "its objects.yaml"],
      jobs: 1,
      env: { ENABLE_WEBHOOKS: "false", GREETING: "it's" },
      upgradeFrom: { exec: "./manager-1.2.0", apply: ["crds-1.2.0"] },
      replay: "1.json",
    })`);
  const project: RunChoice = { rbac: true, args: ["--leader-elect", "two words"], upgradeFrom: { revision: "v1.2.0" } };
  expect(formatReplay("1.json", project)).toBe(
    "tsop check --rbac --upgrade-from v1.2.0 --replay 1.json -- --leader-elect 'two words'",
  );
});

it("names the older version only for a run that needs it", () => {
  const planOf = (faultClass: Plan["faultClass"]): Plan => ({ ...(replay.plan as Plan), faultClass });
  expect(choiceFor(planOf("drift"), { upgradeFrom: older })).toEqual({});
  expect(choiceFor(planOf("rollback"), { upgradeFrom: older })).toEqual({ upgradeFrom: older });
});

/** What a replay does not need: it has a plan, objects and steps of its own. */
const needless = [
  "sample",
  "scenario",
  "upgrade-from-sample",
  "budget",
  "schedules",
  "seed",
  "only",
  "list",
  "accept",
  "output",
];

it("repeats each flag of the command that a run depends on", () => {
  const all = {
    engine: "processes",
    rbac: true,
    jobs: 1,
    exec: "a",
    apply: ["a"],
    with: ["a"],
    upgradeFrom: { revision: "a", exec: "a", apply: ["a"] },
  };
  const repeated = [...formatReplay("a", all).matchAll(/--([\w-]+)/g)].map(([, name]) => name);
  const names = checkCommand({} as Io).options.map((option) => option.name());
  expect([...repeated, ...needless].toSorted()).toEqual(names.toSorted());
});
