import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { inClusterConfig } from "./in-cluster.ts";

/** Where an API server is and who we are to it. Plain data; files that are named here are read again when they change. */
export interface ClientConfig {
  /** Base URL, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The namespace of the context, or of the pod; `default` if neither says. */
  readonly namespace: string;
  /** Where this configuration came from, for messages. */
  readonly source: string;
  /** PEM text of the authorities that the server's certificate may come from. */
  readonly ca?: string;
  readonly caFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  /** PEM text of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly token?: string;
  /** Wins over `token`; read again every minute, because kubelet rotates it. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: Impersonation;
  readonly exec?: ExecConfig;
}

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A program that prints credentials, as `client.authentication.k8s.io` defines it. */
export interface ExecConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  readonly installHint?: string;
  /** The cluster as the program wants to see it; present if it asked for it. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

export interface LoadConfigOptions {
  /** A file; wins over everything else. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig other than the current one. */
  readonly context?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir?: string;
}

/**
 * Finds the cluster as client-go does: the given kubeconfig, else the files of KUBECONFIG merged, else the service
 * account of the pod, else `~/.kube/config`. Throws a TsopError that says which of them is missing or wrong.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env;
  if (options.kubeconfig) return fromFiles([options.kubeconfig], options.context, true);

  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return fromFiles(listed, options.context, false);

  const inCluster = options.context ? undefined : await inClusterConfig(env, options.serviceAccountDir);
  if (inCluster) return inCluster;

  const home = join(options.home ?? env["HOME"] ?? homedir(), ".kube", "config");
  if (!existsSync(home)) throw new TsopError("TSOP_NO_CLUSTER", { home });
  return fromFiles([home], options.context, true);
}

/** The YAML reader loads only when there is a kubeconfig: inside a cluster nothing needs it. */
async function fromFiles(files: string[], context: string | undefined, required: boolean): Promise<ClientConfig> {
  const { loadKubeconfig } = await import("./kubeconfig-file.ts");
  return loadKubeconfig(files, { context, required });
}
