import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { applyManifests } from "../../src/client/manifests/apply-manifests.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { TestEnvironment } from "../../src/testing/test-environment.ts";
import { addedObjects, collectObjects, type Content } from "./collect-objects.ts";

const folder = fileURLToPath(new URL("../real-operators", import.meta.url));

/** How an operator of another project is run. */
export interface RealOperator {
  readonly run: string;
  readonly crds: string;
  readonly webhooks: string;
  /** File of its role, which need not exist. */
  readonly roles: string;
  /** Folder of its sample. */
  readonly input: string;
}

/** Builds an operator, which takes minutes the first time. */
export function buildOperator(name: string): RealOperator {
  const { stdout, stderr, status } = spawnSync("sh", [join(folder, "build.sh"), name], { encoding: "utf8" });
  if (status !== 0) throw new Error(`build.sh ${name}: ${stderr}`);
  const value = (key: string): string => new RegExp(`^${key}=(.*)$`, "m").exec(stdout)?.[1] ?? "";
  return {
    run: value("run"),
    crds: value("crds"),
    webhooks: value("webhooks"),
    roles: value("roles"),
    input: value("input"),
  };
}

/** What an operator has made of its sample. */
export interface Outcome {
  readonly objects: Record<string, unknown>;
  readonly log: string;
}

/** Runs an operator with its sample until nothing changes any more. `assets` names the folder of a real server. */
export async function runOperator({ run, crds, webhooks, input }: RealOperator, assets?: string): Promise<Outcome> {
  const env = new TestEnvironment({
    crdPaths: [crds],
    webhookPaths: webhooks ? [webhooks] : [],
    ...(assets ? { binaryAssetsDirectory: assets, startTimeoutMs: 120_000 } : { env: {} }),
  });
  const home = mkdtempSync(join(tmpdir(), "tsop-operator-"));
  await env.start();
  const kubeconfig = join(home, "kubeconfig");
  writeFileSync(kubeconfig, env.kubeconfig);
  const target = { client: env.client, namespace: "default" };
  let log = "";
  const { PATH } = process.env;
  const variables = {
    PATH,
    HOME: home,
    KUBECONFIG: kubeconfig,
    TSOP_WEBHOOK_PORT: String(env.webhooks.port),
    TSOP_WEBHOOK_CERT_DIR: env.webhooks.certDir,
  };
  const before = join(input, "before.yaml");
  if (existsSync(before)) await applyManifests(target, await readManifests(before));
  const present = await collectObjects(env.config);
  const operator = spawn("sh", ["-c", run], { cwd: home, env: variables, detached: true });
  const ended = new Promise<void>((resolve) => operator.once("close", () => resolve()));
  for (const output of [operator.stdout, operator.stderr])
    output.on("data", (text: Buffer) => (log += text.toString()));
  try {
    await applySample(env, join(input, "sample.yaml"));
    const objects = await untilQuiet(env);
    return { objects: addedObjects(present, objects), log };
  } finally {
    if (operator.exitCode === null) process.kill(-operator.pid!, "SIGKILL");
    await ended;
    await env.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Applies the sample as soon as the operator's webhooks answer. */
async function applySample({ client }: TestEnvironment, file: string): Promise<void> {
  const manifests = await readManifests(file);
  for (let left = 60; ; left--) {
    try {
      await applyManifests({ client, namespace: "default" }, manifests);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await wait(500);
    }
  }
}

const quietMs = 6_000;
const longestMs = 40_000;

/** Waits until no object has changed for a while. */
async function untilQuiet({ config }: TestEnvironment): Promise<Content> {
  const started = Date.now();
  let [last, since] = ["", started];
  for (;;) {
    const objects = await collectObjects(config);
    const versions = [...objects].map(([key, { metadata }]) => `${key} ${metadata.resourceVersion}`).join("\n");
    if (versions !== last) [last, since] = [versions, Date.now()];
    if (Date.now() - since > quietMs || Date.now() - started > longestMs) return objects;
    await wait(500);
  }
}
