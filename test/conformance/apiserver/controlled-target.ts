import { kubernetesVersion } from "../../../src/apimachinery/kubernetes-version.ts";
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/apimachinery/clock.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { Cache } from "../../../src/runtime/cache/cache.ts";
import { kindSource } from "../../../src/runtime/controller/sources.ts";
import { discardLogger } from "../../../src/runtime/log/logger.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { ContainerLogs } from "../../../src/sandbox/simulation/context/container-logs.ts";
import { runKubelet } from "../../../src/sandbox/simulation/pods/kubelet.ts";
import { registerNode } from "../../../src/sandbox/simulation/pods/register-node.ts";
import { createSimulationContext } from "../../../src/sandbox/simulation/context/simulation-context.ts";
import { startSandbox, type SandboxPod } from "../../../src/sandbox/start-sandbox.ts";
import { startControlPlane } from "../../../src/testing/start-control-plane.ts";
import { jumpingClock } from "../runtime/chaos/jumping-clock.ts";
import { target, type Access, type Target } from "./target.ts";
import { startTimeoutMs } from "../../patience.ts";

const pace = { min: 1, max: 10 };

/** The sandbox with its controllers and its node, and a clock that can be turned. */
export async function controlledSandbox(version?: string): Promise<Target> {
  const stopping = new AbortController();
  const clock = jumpingClock(systemClock());
  // The next minute begins when a scenario turns the clock, not while it runs.
  clock.jump(60_000 - (clock.now() % 60_000));
  const problems: unknown[] = [];
  const sandbox = await startSandbox(
    { kubernetesVersion: version, pace, clock, onError: (error) => problems.push(error) },
    stopping.signal,
  );
  const embedded = target("embedded", accessOf(sandbox.config), async () => {
    stopping.abort();
    await sandbox.done;
    if (problems.length > 0) throw new AggregateError(problems, problems.map(String).join("; "));
  });
  return { ...embedded, advance: (seconds) => clock.jump(seconds * 1000) };
}

export interface ControlledOptions {
  readonly runsPod?: (pod: SandboxPod) => boolean;
  readonly apiServerArguments?: readonly string[] | undefined;
}

/**
 * A real control plane with kube-controller-manager; scheduler and kubelet are played by the sandbox's, which leaves the
 * pods of `runsPod` to the caller.
 */
export async function controlledControlPlane(
  assets: string,
  { runsPod = () => false, apiServerArguments = [] }: ControlledOptions = {},
): Promise<Target & { readonly config: ClientConfig }> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-controllers-"));
  const [key, publicKey, ca, kubeconfig] = ["sa.key", "sa.pub", "ca.crt", "kubeconfig"].map((name) =>
    join(folder, name),
  );
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  await Promise.all([writeFile(key!, pair.privateKey), writeFile(publicKey!, pair.publicKey)]);
  const plane = await startControlPlane({
    assets,
    startTimeoutMs,
    stopTimeoutMs: 20_000,
    attachOutput: false,
    apiServerArguments: [
      `--service-account-key-file=${publicKey}`,
      `--service-account-signing-key-file=${key}`,
      ...apiServerArguments,
    ],
  });
  const access = accessOf(plane.config);
  await Promise.all([writeFile(ca!, access.ca), writeFile(kubeconfig!, formatKubeconfig(plane.config))]);
  const manager = spawn(
    join(assets, "kube-controller-manager"),
    [
      `--kubeconfig=${kubeconfig}`,
      "--leader-elect=false",
      "--secure-port=0",
      `--service-account-private-key-file=${key}`,
      `--root-ca-file=${ca}`,
      // Nobody renews the node's lease.
      "--node-monitor-grace-period=1h",
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => manager.once("close", resolve));
  const stopping = new AbortController();
  const kubelet = startNode(plane.config, stopping.signal, runsPod);
  kubelet.catch(() => {}); // told when the target stops
  const real = target("real", access, async () => {
    stopping.abort();
    manager.kill("SIGKILL");
    await ended;
    await plane.stop();
    await rm(folder, { recursive: true, force: true });
    await kubelet;
  });
  // A schedule's next minute, and the one after it.
  return { ...real, patience: 200_000, config: plane.config };
}

async function startNode(
  config: ClientConfig,
  signal: AbortSignal,
  runsPod: (pod: SandboxPod) => boolean,
): Promise<void> {
  const problems: unknown[] = [];
  const clientFor = (user: string): Client =>
    createClient({ config, fieldOwner: user.startsWith("system:node:") ? "kubelet" : "kube-scheduler" });
  const cache = new Cache(clientFor("system:kube-scheduler"), discardLogger, { syncPeriod: 0 }, systemClock());
  const context = createSimulationContext({
    // The node does not list.
    objects: { source: (kind, handler) => kindSource({ cache, kind, handler }), list: () => [] },
    clientFor,
    kubernetesVersion,
    clock: systemClock(),
    random: () => 0.5,
    pace,
    caData: "",
    logs: new ContainerLogs(),
    runsPod,
    signal,
    onError: (error) => problems.push(error),
  });
  await registerNode(context);
  await Promise.all([cache.start(signal), runKubelet(context)]);
  if (problems.length > 0) throw new AggregateError(problems, problems.map(String).join("; "));
}

function accessOf({ server, ca, token }: ClientConfig): Access {
  return { url: server, ca: String(ca), token: String(token) };
}
