import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { kubernetesRelease } from "../../../src/apimachinery/kubernetes-version.ts";
import { createApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../../src/apiserver/http/start-http.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { startControlPlane } from "../../../src/testing/start-control-plane.ts";
import { releaseOfAssets } from "./releases.ts";
import { startTimeoutMs } from "../../patience.ts";
import { buildGoOperator, type GoBuild } from "../runtime/differential/go-operator.ts";

// client-go's typed clients, informers, metadata and discovery clients, which read and write nothing but protobuf: the
// program prints what it was answered. Skipped without Go, or without its modules.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const timeout = 300_000;
const run = promisify(execFile);

/** What a real server makes it print. */
const expected = [
  "created typed 2 1 100m http {1 0 25%}",
  'again true deployments.apps "typed" already exists',
  "updated 0 2",
  "patched map[app:typed b:2]",
  "scale typed 0 app=typed",
  "stale true",
  'invalid true Deployment.apps "typed" is invalid: spec.template.spec.containers: Required value',
  "list 1 typed true",
  'gone true deployments.apps "typed" not found',
  "event ADDED typed map[a: b:é] map[c:[0 255]]",
  "event MODIFIED typed map[a: b:2] map[c:[0 255]]",
  "event DELETED typed map[a: b:2] map[c:[0 255]]",
  'no watch true resourceVersion: Invalid value: "garbage": strconv.ParseUint: parsing "garbage": invalid syntax',
  "metadata  map[a:1] true",
  "metadata list 1",
  "discovery true controllerrevisions",
  "openapi Kubernetes true",
  "apps.v1.Deployment [apiVersion kind metadata spec status] [spec] [map[group:apps kind:Deployment version:v1]]",
  "apps.v1.DeploymentSpec [minReadySeconds paused progressDeadlineSeconds replicas revisionHistoryLimit selector strategy template] [selector template] <nil>",
  "core.v1.Container [args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe resizePolicy resources restartPolicy restartPolicyRules securityContext startupProbe stdin stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir] [name] <nil>",
  "ports containerPort",
  "x-kubernetes-action",
  "x-kubernetes-group-version-kind",
  "patches take dryRun string",
];

let built: GoBuild;

beforeAll(async () => {
  built = await buildGoOperator("./typedclient");
}, 2 * timeout);

it("typed Go clients work with the embedded server", { timeout }, async (context) => {
  if ("missing" in built) return context.skip(built.missing);
  const stopping = new AbortController();
  const server = createApiServer();
  const { url, caData, token, done } = await startHttp(server, { signal: stopping.signal });
  const ca = Buffer.from(caData, "base64").toString();
  const config = { server: url, namespace: "default", source: "the embedded server", ca, token };
  expect(await printed(built.binary, config)).toEqual(expected);
  stopping.abort();
  server.close();
  await done;
});

const isRecorded = assets !== undefined && releaseOfAssets(assets).release === kubernetesRelease;

it.skipIf(!isRecorded)("typed Go clients print the same of a real server", { timeout }, async (context) => {
  if ("missing" in built) return context.skip(built.missing);
  const plane = await startControlPlane({
    assets: assets!,
    startTimeoutMs,
    stopTimeoutMs: 20_000,
    attachOutput: false,
  });
  const lines = await printed(built.binary, plane.config);
  await plane.stop();
  expect(lines).toEqual(expected);
});

async function printed(binary: string, config: ClientConfig): Promise<string[]> {
  const kubeconfig = join(await mkdtemp(join(tmpdir(), "tsop-typed-client-")), "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(config));
  const { stdout } = await run(binary, ["--kubeconfig", kubeconfig], { timeout });
  return stdout.trimEnd().split("\n");
}
