import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRecorded } from "./recorded.ts";
import { releaseOfAssets, releases, type Release } from "./releases.ts";
import { runScenario } from "./run-scenario.ts";
import { controllerScenarios, scenarios } from "./scenarios.ts";
import { embeddedTarget, realTarget, type Target } from "./target.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

// The embedded server always; a real one when KUBEBUILDER_ASSETS names its programs. With TSOP_RECORD=1 the real one's
// answers become the recording.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1" && assets !== undefined;

for (const release of releases)
  describe(`embedded server answers as recorded of ${release.release}`, () =>
    conformance(() => embeddedTarget(release.version), { release, runs: release.runs, record: false }));

describe.runIf(assets !== undefined)("real server answers as recorded", () => {
  const release = assets ? releaseOfAssets(assets) : releases[0]!;
  conformance(() => realTarget(assets!), { release, runs: release.has, record });
});

it("has names of their own for scenarios", () => {
  const names = [...scenarios, ...controllerScenarios].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

interface Options {
  readonly release: Release;
  readonly runs: Release["runs"];
  readonly record: boolean;
}

function conformance(start: () => Promise<Target>, { release: { release }, runs, record: recording }: Options): void {
  let target: Target;
  let webhooks: WebhookServer;
  beforeAll(async () => {
    [target, webhooks] = await Promise.all([start(), startWebhookServer()]);
  });
  afterAll(async () => {
    await target?.stop();
    await webhooks?.stop();
  });
  it.each(scenarios.filter(runs))("$name", async (scenario) => {
    const answers = await runScenario(target, scenario, webhooks.words);
    expectRecorded(scenario.name, { answers, record: recording, release });
  });
}
