import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { formatKubeconfig } from "../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { startControlPlane } from "../../src/testing/start-control-plane.ts";
import { releaseOfAssets } from "../../test/conformance/apiserver/releases.ts";
import { startTimeoutMs } from "../../test/patience.ts";

/** A fresh server for a suite of another project. */
export interface ForeignServer {
  readonly config: ClientConfig;
  /** A folder of its own, which is removed with the server. */
  readonly folder: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
}

export interface ForeignServerOptions {
  /** The folder of the real programs. */
  readonly assets: string;
  /** False for the embedded server. */
  readonly real: boolean;
  /** True if every user may do everything; roles are enforced by default. */
  readonly allowAll?: boolean;
  /** True if the embedded server has the simulated controllers and a node. */
  readonly simulate?: boolean;
  /** More flags for the real kube-apiserver. */
  readonly apiServerArguments?: readonly string[];
  /** Flags for kube-controller-manager; without them it does not run. */
  readonly controllerArguments?: readonly string[];
}

/** Runs `work` with a fresh server. */
export async function withServer<T>(
  options: ForeignServerOptions,
  work: (server: ForeignServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-foreign-"));
  const kubeconfig = join(folder, "kubeconfig");
  try {
    const { config, stop } = await (options.real ? startReal(options) : startEmbedded(options));
    try {
      await writeFile(kubeconfig, formatKubeconfig(config));
      const stopControllers = startControllers(options, kubeconfig);
      try {
        return await work({ config, folder, kubeconfig });
      } finally {
        await stopControllers();
      }
    } finally {
      await stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Started {
  readonly config: ClientConfig;
  readonly stop: () => Promise<void>;
}

async function startEmbedded({ assets, allowAll = false, simulate = false }: ForeignServerOptions): Promise<Started> {
  const { version: kubernetesVersion } = releaseOfAssets(assets);
  const stopping = new AbortController();
  const { config, done } = await startSandbox({ simulate, rbac: !allowAll, kubernetesVersion }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await done;
  };
  return { config, stop };
}

async function startReal(options: ForeignServerOptions): Promise<Started> {
  const { assets, allowAll = false, apiServerArguments: more = [] } = options;
  const apiServerArguments = [...(allowAll ? ["--authorization-mode=AlwaysAllow"] : []), ...more];
  const timeouts = { startTimeoutMs, stopTimeoutMs: 20_000 };
  const plane = await startControlPlane({ assets, ...timeouts, attachOutput: false, apiServerArguments });
  return { config: plane.config, stop: () => plane.stop() };
}

/** Starts the real controllers, on either server. */
function startControllers(
  { assets, controllerArguments }: ForeignServerOptions,
  kubeconfig: string,
): () => Promise<void> {
  if (!controllerArguments) return async () => {};
  const manager = spawn(
    join(assets, "kube-controller-manager"),
    [`--kubeconfig=${kubeconfig}`, "--secure-port=0", ...controllerArguments],
    { stdio: "ignore" },
  );
  const ended = new Promise<number | null>((resolve) => manager.once("close", resolve));
  return async () => {
    // Suites would only time out without it.
    if (manager.exitCode !== null) throw new Error(`kube-controller-manager ended with ${manager.exitCode}`);
    manager.kill("SIGKILL");
    await ended;
  };
}
