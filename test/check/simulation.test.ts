import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { planPatience, referencePatience } from "../../src/check/patience.ts";
import { makePlans, referencePlan } from "../../src/check/plans/make-plans.ts";
import type { Fault, Plan } from "../../src/check/plans/plan.ts";
import { prepareScenario } from "../../src/check/prepare-scenario.ts";
import { runCheck, type CheckResult } from "../../src/check/run-check.ts";
import type { CheckOptions } from "../../src/check/check-options.ts";
import type { Subject } from "../../src/check/world/subject.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { sentOptions } from "../../src/simulation/sent-options.ts";
import type { RunMessage } from "../../src/simulation/worker.ts";
import { compiledRoot } from "../compiled-sources.ts";
import { isRelease } from "../is-release.ts";
import { openTestSimulation, testOperator, type TestSimulation } from "./test-simulation.ts";

const folder = fileURLToPath(new URL("operators", import.meta.url));
const runProgram = promisify(execFile);
const signal = new AbortController().signal;

let simulation: TestSimulation;
let subject: Subject;
let samples: UnstructuredObject[];

beforeAll(async () => {
  simulation = await openTestSimulation();
  const read = (file: string) => readManifests(join(folder, "manifests", file));
  samples = (await read("sample.yaml")).map(({ object }) => object);
  subject = {
    command: { file: process.execPath, args: [testOperator], cwd: folder, env: { PATH: process.env["PATH"] } },
    crds: (await read("crd.yaml")).map(({ object }) => object),
    before: await read("before.yaml"),
  };
});
afterAll(() => simulation.close());

describe("a run in a simulation", () => {
  const count = 200;
  let runs: string;
  beforeAll(async () => {
    const { scenario } = await prepareScenario({ subject, samples, signal });
    const reference = await simulation.engine.run(referencePlan(scenario), {
      subject,
      signal,
      patience: referencePatience,
    });
    const plans = makePlans(scenario, reference, []);
    const options = sentOptions({ subject, signal, patience: planPatience });
    const messages = Array.from({ length: count }, (_, seed): RunMessage => {
      const chance = { seed, epoch: Date.parse("2026-03-29T00:59:30Z") };
      return { plan: plans[Math.floor((seed / count) * plans.length)]!, options, chance };
    });
    runs = join(simulation.folder, "runs");
    await writeFile(runs, serialize({ scripts: simulation.scripts, runs: messages }));
  });

  /** Returns the lines that a program of this folder prints about the runs. */
  const linesOf = async (program: string, ...args: string[]): Promise<string[]> => {
    const script = fileURLToPath(new URL(program, import.meta.url));
    const command = ["--expose-gc", script, join(compiledRoot, "src"), runs, ...args];
    const { stdout } = await runProgram(process.execPath, command, { maxBuffer: 2 ** 24 });
    return stdout.trim().split("\n");
  };

  it("gives the same bytes in another process and after other runs", { timeout: 600_000 }, async () => {
    const digests = async (...order: string[]): Promise<string[]> =>
      (await linesOf("digest-runs.mjs", ...order)).toSorted();
    const [forwards, backwards] = await Promise.all([digests(), digests("--reverse")]);
    expect(forwards).toHaveLength(count);
    expect(new Set(forwards.map((line) => line.split(" ")[1])).size).toBeGreaterThan(0.75 * count);
    expect(backwards).toEqual(forwards);
  });

  // It takes a minute of processor time.
  it.skipIf(!isRelease)("leaves nothing in memory", { timeout: 600_000 }, async () => {
    const lines = await linesOf("measure-runs.mjs", "300", "100");
    const [first, , last] = lines.map((line) => JSON.parse(line) as { heap: number });
    // Code that is compiled meanwhile takes 1 or 2 MB; the record of one run has 0.2 MB.
    expect(last!.heap - first!.heap, lines.join("\n")).toBeLessThan(8);
  });
});

describe("a check that begins with a simulation uses processes", () => {
  const checkVariant = (
    variant: string,
    { engine, ...more }: Partial<CheckOptions> = simulation,
  ): Promise<CheckResult> => {
    const { command } = subject;
    const args = [testOperator, "--bug", variant];
    const varied = { ...subject, command: { ...command, args } };
    const { only = [], isForced } = more;
    return runCheck({ subject: varied, samples, only, isForced, engine, seed: 1, budgetMs: Infinity, signal });
  };

  it(
    "if the operator reaches out of the simulation, even if it ignores the failure",
    { timeout: 120_000 },
    async () => {
      const { engine, findings } = await checkVariant("asks-another-server");
      expect(engine).toEqual({ name: "processes", why: "it calls fetch, which cannot be simulated" });
      expect(findings).toEqual([]);
    },
  );

  it(
    "if the operator reaches out only under a plan, after process runs without faults",
    { timeout: 180_000 },
    async () => {
      const { engine: wanted } = simulation;
      const options = { engine: wanted, only: ["restart"] as const };
      const { engine, findings } = await checkVariant("asks-another-server-after-a-restart", options);
      expect(engine).toEqual({ name: "processes", why: "it calls fetch, which cannot be simulated" });
      expect(findings).toEqual([]);
    },
  );

  it("unless the user insists on the simulation", { timeout: 120_000 }, async () => {
    const forced = { engine: simulation.engine, isForced: true };
    await expect(checkVariant("asks-another-server", forced)).rejects.toThrow(
      "the operator can't be simulated: it calls fetch, which cannot be simulated",
    );
  });

  it("if the operator computes forever", { timeout: 120_000 }, async () => {
    const impatient = await openTestSimulation({ limitMs: 3_000 });
    onTestFinished(() => impatient.close());
    const { engine, findings } = await checkVariant("computes-in-a-container", impatient);
    expect(engine).toEqual({
      name: "processes",
      why: "a run takes more than 3 s: it may compute without an end",
    });
    expect(findings).toEqual([]);
  });

  it("if the operator behaves differently as a process", { timeout: 120_000 }, async () => {
    const { engine, findings } = await checkVariant("other-size-in-a-container");
    expect(engine.name).toBe("processes");
    expect(engine.why).toMatch(/^as a process, it ends the step “create” with another state$/);
    expect(findings).toEqual([]);
  });
});

it("runs a plan until chance lets its fault act, and names the plan whose fault never does", async () => {
  const { command } = subject;
  const varied = { ...subject, command: { ...command, args: [testOperator, "--bug", "marks-at-times"] } };
  const { scenario } = await prepareScenario({ subject, samples, signal });
  const planAt = (occurrence: number, number = 0): Plan => {
    const at = { step: "create", signature: "patch v1/namespaces/default/services/sample", occurrence };
    const faults: readonly Fault[] = [{ type: "crash", at, when: "after" }];
    const steps = scenario.steps.slice(0, 1).map((step) => ({ ...step, reaches: step.name }));
    return { id: `crash:${occurrence}:${number}`, faultClass: "crash", description: "", steps, faults };
  };
  const plans = [...Array.from({ length: 5 }, (_, number) => planAt(2, number)), planAt(9)];
  const { engine } = simulation;
  const options = { subject: varied, samples, plans, engine, isForced: true, seed: 1, budgetMs: Infinity, signal };
  const { idle, findings, done } = await runCheck(options);
  expect(idle.map(({ id }) => id)).toEqual([planAt(9).id]);
  expect(findings).toEqual([]);
  expect(done).toBe(6);
});

describe("two operators in one world", () => {
  const checkNextTo = (...bug: string[]): Promise<CheckResult> => {
    const { command } = subject;
    const neighbour = { ...subject, command: { ...command, args: [testOperator, ...bug] } };
    const { engine } = simulation;
    const tried = { ...subject, neighbours: [neighbour] };
    return runCheck({ subject: tried, samples, only: [], engine, isForced: true, seed: 1, budgetMs: Infinity, signal });
  };

  it("change an object in turn if they do not agree about it", { timeout: 120_000 }, async () => {
    const { findings } = await checkNextTo("--bug", "neighbour-with-another-size");
    expect(findings.map((finding) => finding.class)).toContain("restless");
    const { violation } = findings.find((finding) => finding.class === "restless")!;
    expect(violation.sentence).toContain("The operator and a neighbour change apps/deployments default/sample in turn");
    expect(new Set(violation.requests!.map(({ by }) => by))).toEqual(new Set(["operator", "neighbour"]));
  });

  it("have no finding if they agree", { timeout: 120_000 }, async () => {
    expect((await checkNextTo("--leader-elect=false")).findings).toEqual([]);
  });
});
