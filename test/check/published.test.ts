import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultClass } from "../../src/check/plans/plan.ts";
import { runCheck, type CheckResult } from "../../src/check/run-check.ts";
import { refOf, type Scenario } from "../../src/check/scenario/scenario.ts";
import { isCrd } from "../../src/client/manifests/install-crds.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { describeFindings } from "./describe-findings.ts";
import { openTestSimulation, type TestSimulation } from "./test-simulation.ts";

const folder = fileURLToPath(new URL("operators/published", import.meta.url));
const main = `${folder}/main.js`;
const signal = new AbortController().signal;

let simulation: TestSimulation;
beforeAll(async () => {
  simulation = await openTestSimulation({ main });
});
afterAll(() => simulation.close());

async function check(name: string, only: FaultClass, changes: readonly object[] = []): Promise<CheckResult> {
  const objects = (await readManifests(`${folder}/${name}.yaml`)).map(({ object }) => object);
  const samples = objects.filter((object) => !isCrd(object));
  const target = refOf(samples[0]!);
  const scenario: Scenario = {
    steps: [
      { name: "create", action: { type: "apply", objects: samples } },
      ...changes.map((spec, index) => ({
        name: `change ${index + 1}`,
        action: { type: "patch", target, patch: { spec } } as const,
      })),
      { name: "delete", action: { type: "delete", targets: [target] } },
    ],
  };
  const subject = {
    command: { file: process.execPath, args: [main, name], cwd: folder, env: { PATH: process.env["PATH"] } },
    crds: objects.filter(isCrd),
    before: [],
  };
  const { engine } = simulation;
  const options = { subject, samples, scenario, only: [only], engine, isForced: true, seed: 1, signal };
  return runCheck({ ...options, budgetMs: Infinity });
}

describe("the port of an operator in Go shows its published bug", () => {
  it.each<{ title: string; name: string; finds: FaultClass; changes?: object[]; rule: string }>([
    {
      title: "the claims of a new cluster go with those of an old one (zookeeper-operator 312)",
      name: "zookeeper",
      finds: "stale",
      rule: "data-deleted",
    },
    {
      title: "a claim is deleted while the cluster grows (zookeeper-operator 314)",
      name: "zookeeper",
      finds: "stale",
      changes: [{ replicas: 1 }, { replicas: 2 }],
      rule: "data-deleted",
    },
    {
      title: "a renamed Secret stays under its old name (external-secrets 2937)",
      name: "external-secrets",
      finds: "crash",
      changes: [{ target: { name: "second" } }],
      rule: "wrong-state",
    },
  ])("$title", { timeout: 300_000 }, async ({ name, finds, changes, rule }) => {
    const result = await check(name, finds, changes);
    const found = result.findings.map((finding) => [finding.class, finding.violation.oracle]);
    expect(found, describeFindings(result).join("\n")).toContainEqual([finds, rule]);
  });
});
