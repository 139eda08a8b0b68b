import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClientConfig } from "./config.ts";
import { inClusterConfig } from "./in-cluster.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";

/** The kubeconfig and context that replace those of the environment. */
export interface LoadConfigOptions {
  /** A file; overrides everything else. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig that replaces the current one. */
  readonly context?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** The folder of a pod's service account. */
  readonly serviceAccountDir?: string;
}

/**
 * Finds the cluster as client-go does: the given kubeconfig, else the merged files of KUBECONFIG, else the service
 * account of the pod, else `~/.kube/config`. Throws a TsopError that names the missing or invalid one.
 *
 * @example
 * const config = await loadConfig({ context: "staging" });
 * const staging = createClient({ config });
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env;
  const config = await findConfig(options, env);
  const proxyUrl = config.proxyUrl ?? proxyFromEnvironment(config.server, env);
  return proxyUrl ? { ...config, proxyUrl } : config;
}

type Env = NonNullable<LoadConfigOptions["env"]>;

async function findConfig(options: LoadConfigOptions, env: Env): Promise<ClientConfig> {
  if (options.kubeconfig) return fromFiles([options.kubeconfig], options.context, true);

  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return fromFiles(listed, options.context, false);

  const inCluster = options.context ? undefined : await inClusterConfig(env, options.serviceAccountDir);
  if (inCluster) return inCluster;

  const home = join(options.home ?? env["HOME"] ?? homedir(), ".kube", "config");
  if (!existsSync(home)) throw new TsopError("TSOP_NO_CLUSTER", { home });
  return fromFiles([home], options.context, true);
}

/** Loads the YAML parser only for kubeconfigs: a pod does not need it. */
async function fromFiles(files: string[], context: string | undefined, required: boolean): Promise<ClientConfig> {
  const { loadKubeconfig } = await import("./kubeconfig-file.ts");
  return loadKubeconfig(files, { context, required });
}
