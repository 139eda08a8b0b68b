import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { controlledControlPlane, controlledSandbox } from "./controlled-target.ts";
import { expectRecorded } from "./recorded.ts";
import { releaseOfAssets, releases } from "./releases.ts";
import { runScenario } from "./run-scenario.ts";
import { controllerScenarios } from "./scenarios.ts";
import type { Target } from "./target.ts";

// As conformance.test.ts, for what controllers do a while after a request. Scenarios run side by side: most of their
// time is waiting.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const hasManager = assets !== undefined && existsSync(join(assets, "kube-controller-manager"));
const record = process.env["TSOP_RECORD"] === "1" && hasManager;

describe.concurrent.each(releases)("the sandbox does as recorded of $release", ({ release, version, runs }) => {
  let shared: Target;
  beforeAll(async () => {
    shared = await controlledSandbox(version);
  });
  afterAll(() => shared?.stop());
  it.each(controllerScenarios.filter(runs))("$name", async (scenario) => {
    // Turning the clock would disturb the others.
    const own = scenario.steps.some((step) => "advance" in step) ? await controlledSandbox(version) : undefined;
    const answers = await runScenario(own ?? shared, scenario, {});
    await own?.stop();
    expectRecorded(scenario.name, { answers, record: false, release });
  });
});

describe.runIf(hasManager).concurrent("a real control plane does as recorded", () => {
  const { release, has } = assets ? releaseOfAssets(assets) : releases[0]!;
  let target: Target;
  beforeAll(async () => {
    target = await controlledControlPlane(assets!);
  });
  afterAll(() => target?.stop());
  // Those by chance show states on the way that a recording does not have.
  const repeatable = controllerScenarios.filter(has).filter(({ byChance }) => record || !byChance);
  it.each(repeatable)("$name", async (scenario) => {
    const answers = await runScenario(target, scenario, {});
    expectRecorded(scenario.name, { answers, record, release });
  });
});
