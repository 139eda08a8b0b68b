import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClientConfig } from "./config.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";
import { readFile } from "node:fs/promises";

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

const defaultDir = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Returns the configuration of a pod, or `undefined` outside a cluster. */
async function inClusterConfig(
  env: Readonly<Record<string, string | undefined>>,
  dir: string = defaultDir,
): Promise<ClientConfig | undefined> {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  if (!host || !port) return undefined;
  const tokenFile = join(dir, "token");
  if ((await readIfThere(tokenFile)) === undefined) return undefined;
  const namespace = (await readIfThere(join(dir, "namespace")))?.trim();
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    namespace: namespace || "default",
    source: "the service account of this pod",
    caFile: join(dir, "ca.crt"),
    tokenFile,
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Reads the cluster of a kubeconfig that comes from a Secret: the cluster of its current context, or of its only one. It may
 * neither run programs nor name files, since whoever can write the Secret would do so in the operator's pod. Throws a
 * TsopError that names the `source`.
 *
 * @example
 * const { data } = await mgr.client.get(Secret, request);
 * const kubeconfig = Buffer.from(data?.["value"] ?? "", "base64").toString();
 * const remote = createClient({ config: await loadSecretConfig(kubeconfig, `Secret ${request.name}`) });
 */
export async function loadSecretConfig(kubeconfig: string, source: string): Promise<ClientConfig> {
  // With the YAML parser, which most operators do not need.
  const { readSecretConfig } = await import("./read-configs.ts");
  return readSecretConfig(kubeconfig, source);
}
