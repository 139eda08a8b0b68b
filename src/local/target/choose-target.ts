import type { Client } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { loadConfig } from "../../client/config/load-config.ts";
import { createClient } from "../../client/create-client.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import { startSandbox, type SandboxOptions, type SandboxUser } from "../../sandbox/start-sandbox.ts";
import { namesCluster, type NamedCluster } from "./named-cluster.ts";
import { formatKubeconfig } from "../../sandbox/disk/write-kubeconfig.ts";

/** The server that the operator runs against. */
export interface Target {
  readonly embedded: boolean;
  readonly config: ClientConfig;
  readonly kubeconfig: string;
  readonly client: Client;
  /** Creates a user, and returns the configuration of its clients; the embedded server only. */
  readonly addUser?: (user: SandboxUser) => ClientConfig;
  /** Settles when the embedded server has stopped; at once for a cluster. */
  readonly done: Promise<void>;
}

export interface TargetOptions extends NamedCluster {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxOptions;
}

/** Connects to the cluster that the flags name; if they name none, starts an embedded server that runs until the signal. */
export async function chooseTarget(options: TargetOptions, signal: AbortSignal): Promise<Target> {
  const { kubeconfig, context, env } = options;
  if (!namesCluster(options)) return { embedded: true, ...(await startSandbox(options.sandbox, signal)) };
  const config = await loadConfig({ kubeconfig, context, env });
  const transport = new HttpTransport(config);
  // Fail before the build if the cluster is not reachable.
  const answer = await transport.request({ method: "GET", path: "/version", signal });
  await answer.text();
  const client = createClient({ transport });
  return { embedded: false, config, kubeconfig: formatKubeconfig(config), client, done: Promise.resolve() };
}
