import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownDifferences } from "./known-differences.ts";
import { runScenario, type RecordedAnswer } from "./run-scenario.ts";
import { scenarios } from "./scenarios.ts";
import { embeddedTarget, realTarget, type Target } from "./target.ts";

// The embedded server always; a real one when KUBEBUILDER_ASSETS names its programs. With TSOP_RECORD=1 the real one's
// answers become the recording.
const assets = process.env["KUBEBUILDER_ASSETS"];
const record = process.env["TSOP_RECORD"] === "1" && assets !== undefined;

describe("embedded server answers as recorded", () => conformance(embeddedTarget, false));

describe.runIf(assets !== undefined)("real server answers as recorded", () =>
  conformance(() => realTarget(assets!), record),
);

it(`differs in ${knownDifferences.length} known places, each with a reason`, () => {
  expect(knownDifferences.length).toBeLessThan(10);
  expect(knownDifferences.filter(({ reason }) => reason.length < 20)).toEqual([]);
  const names = new Set(scenarios.map(({ name }) => name));
  expect(knownDifferences.filter(({ scenario }) => !names.has(scenario))).toEqual([]);
});

function conformance(start: () => Promise<Target>, recording: boolean): void {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(async () => {
    await target?.stop();
  });
  it.each(scenarios)("$name", async (scenario) => {
    const answers = await runScenario(target, scenario);
    if (recording) save(scenario.name, answers);
    const recorded = load(scenario.name);
    const known = target.name === "embedded" ? knownDifferences.filter((each) => each.scenario === scenario.name) : [];
    expect(without(answers, known)).toEqual(without(recorded, known));
  });
}

/** Known differences are left out on both sides, and must differ: a mended one has to leave the list. */
function without(answers: readonly RecordedAnswer[], known: typeof knownDifferences): RecordedAnswer[] {
  return answers.filter(({ step }) => !known.some((each) => each.step === step));
}

const folder = new URL("../recorded/apiserver/", import.meta.url);

function save(name: string, answers: readonly RecordedAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(new URL(`${name}.json`, folder), `[\n${lines.join(",\n")}\n]\n`);
}

function load(name: string): RecordedAnswer[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as RecordedAnswer[];
}
