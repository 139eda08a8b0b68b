import { fileURLToPath } from "node:url";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import type { CheckOptions } from "../../src/check/check-options.ts";
import { runCheck, type CheckResult } from "../../src/check/run-check.ts";
import { refOf, type Scenario } from "../../src/check/scenario/scenario.ts";
import { World } from "../../src/check/world/world.ts";
import type { Subject } from "../../src/check/world/subject.ts";
import type { CustomResourceDefinition } from "../../src/apimachinery/crd/crd-types.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { patience } from "../patience.ts";
import { describeFindings } from "./describe-findings.ts";
import { endsWhen } from "./ends-when.ts";

const folder = fileURLToPath(new URL("operators", import.meta.url));
let subject: Subject;
let samples: UnstructuredObject[];

beforeAll(async () => {
  const [crd] = await readManifests(`${folder}/manifests/crd.yaml`);
  const [sample] = await readManifests(`${folder}/manifests/sample.yaml`);
  const before = await readManifests(`${folder}/manifests/before.yaml`);
  subject = { ...operator("converting.js"), crds: [withAlpha(crd!.object)], before };
  samples = ["a", "b", "c"].map((name) => asAlpha(sample!.object, name));
});

/** Serves v1alpha1 as well, whose `size` is called `replicas` in v1. */
function withAlpha(crd: UnstructuredObject): UnstructuredObject {
  const { spec, ...rest } = structuredClone(crd) as unknown as CustomResourceDefinition;
  const [v1] = spec.versions;
  const alpha = structuredClone({ ...v1!, name: "v1alpha1", storage: false });
  const { properties } = alpha.schema!.openAPIV3Schema!.properties!["spec"] as { properties: Record<string, object> };
  properties["size"] = properties["replicas"]!;
  delete properties["replicas"];
  const service = { namespace: "cache-system", name: "webhooks", path: "/convert" };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ["v1"] };
  const conversion = { strategy: "Webhook", webhook };
  return { ...rest, spec: { ...spec, versions: [v1!, alpha], conversion } };
}

function asAlpha(sample: UnstructuredObject, name: string): UnstructuredObject {
  const { replicas, ...spec } = sample["spec"] as { replicas: number };
  const metadata = { ...sample.metadata, name };
  return { ...sample, apiVersion: "check.example.com/v1alpha1", metadata, spec: { ...spec, size: replicas } };
}

function operator(main: string): Pick<Subject, "command" | "webhooks"> {
  const command = { file: process.execPath, args: [`${folder}/${main}`], cwd: folder, env: process.env };
  const commandAt: NonNullable<Subject["webhooks"]>["commandAt"] = ({ port, certDir }) => ({
    ...command,
    args: [...command.args, `--webhook-port=${port}`, `--webhook-cert-path=${certDir}`],
  });
  return { command, webhooks: { configurations: [], commandAt } };
}

/** Starts the operator, and lets it see the first sample. */
async function openWorld(): Promise<World> {
  const world = new World(subject);
  onTestFinished(() => world.close());
  await world.open();
  world.startOperator();
  expect(await world.untilServing()).toBe(true);
  await world.act({ type: "apply", objects: samples.slice(0, 1) });
  return world;
}

it("repeats a user's request that needs the operator while a fault keeps it down", async () => {
  const world = await openWorld();
  await world.killOperator();
  const target = refOf(samples[0]!);
  const acting = [
    world.act({ type: "apply", objects: samples.slice(1) }),
    world.act({ type: "patch", target, patch: { spec: { size: 3 } } }),
    world.act({ type: "wait", target, condition: "Available", status: "True" }),
  ];
  world.startOperator();
  await Promise.all(acting);
  await vi.waitFor(() => expect([...world.state().keys()]).toContain("apps/deployments default/c"), patience);
});

it("does not repeat a request after the operator exits by itself", async () => {
  const world = await openWorld();
  // After a restart by a fault as well.
  await world.killOperator();
  const operator = world.startOperator();
  await world.act({ type: "apply", objects: samples.slice(1, 2) });
  await operator.stop(10_000);
  const acting = world.act({ type: "apply", objects: samples.slice(2) });
  await expect(acting).rejects.toThrow(/conversion webhook for .* connection refused/);
});

it("judges crashes of an operator whose conversion webhook the next sample needs", async () => {
  const scenario: Scenario = { steps: [{ name: "create", action: { type: "apply", objects: samples } }] };
  const end = endsWhen(({ done }) => done >= 6);
  const result = await runCheck({ subject, samples, scenario, only: ["crash"], seed: 1, ...end });
  expect(result.notes).toEqual([]);
  expect(describeFindings(result)).toEqual([]);
  expect(result.judged).toEqual(["crash"]);
});

/** Checks the conversions of the operator, with a field that it forgets. */
async function checkConversions(forgets: string, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
  const env = { ...process.env, CONVERSION_BUG: forgets };
  const { command, webhooks } = subject;
  const commandAt: NonNullable<Subject["webhooks"]>["commandAt"] = (endpoint) => ({
    ...webhooks!.commandAt(endpoint),
    env,
  });
  const forgetful = { ...subject, command: { ...command, env }, webhooks: { ...webhooks!, commandAt } };
  const { signal } = new AbortController();
  return runCheck({ subject: forgetful, samples, only: ["conversion"], seed: 1, budgetMs: 60_000, signal, ...options });
}

it("finds nothing in a webhook that converts without loss", async () => {
  const { findings, converted, judged } = await checkConversions("");
  expect(findings.map(({ violation }) => violation)).toEqual([]);
  expect([converted, judged]).toEqual([2000, ["conversion"]]);
});

it("finds a field that a webhook loses, and repeats the finding", async () => {
  const lost = ["Cache lost v1 spec.description", "Cache lost v1alpha1 spec.description"];
  const namesOf = ({ findings: found }: CheckResult): string[] => found.map(({ violation }) => violation.about).sort();
  const first = await checkConversions("description");
  expect(namesOf(first)).toEqual(lost);
  const plans = first.findings.map(({ plan }) => plan);
  expect(namesOf(await checkConversions("description", { only: undefined, plans }))).toEqual(lost);
  expect((await checkConversions("", { only: undefined, plans })).findings).toEqual([]);
});
