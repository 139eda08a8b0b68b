import { expect, it } from "vitest";
import { parseReplay, testOf, type Replay } from "../../../src/check/report/replay.ts";

const replay = {
  title: "drift: somebody deletes Deployment sample",
  scenario: { steps: [] },
  plan: { id: "drift:delete", faultClass: "drift", description: "somebody deletes Deployment sample", steps: [] },
};

it("reads the file of a finding", () => {
  expect(parseReplay(JSON.stringify(replay), "1-drift.json")).toEqual(replay);
});

it.each(["", "[]", "null", "{}", '{"title":"a"}'])("refuses another file: %s", (text) => {
  expect(() => parseReplay(text, "a.json")).toThrow("a.json can't be used: it holds no finding");
});

it("prints the test of a finding", () => {
  const lines = testOf(".tsop/check/findings/1-drift.json", parseReplay(JSON.stringify(replay), "a"));
  expect(lines).toContain("cp .tsop/check/findings/1-drift.json test/findings/1-drift.json\n");
  expect(lines).toContain('it("drift: somebody deletes Deployment sample", { timeout: 120_000 }, async () => {\n');
  expect(lines).toContain('checkOperator({ replay: "test/findings/1-drift.json" })');
  const upgrade = { ...replay, plan: { ...replay.plan, faultClass: "upgrade" } } as Replay;
  const upgraded = 'checkOperator({ replay: "test/findings/1.json", upgradeFrom: { revision: "v1.0.0" } })';
  expect(testOf("1.json", upgrade, "v1.0.0")).toContain(upgraded);
});
