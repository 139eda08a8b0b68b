import type { Client } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type { Transport } from "../../client/transport.ts";
import type { Io } from "../io.ts";
import { clusterText } from "../terminal/texts.ts";

/** The flags that choose a cluster. */
export interface ChosenCluster {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The connection to a cluster of the user. */
interface OpenCluster {
  readonly config: ClientConfig;
  readonly transport: Transport;
  readonly client: Client;
}

/** Opens the cluster that flags choose, and names it. Fails if its server can't be reached. */
export async function openCluster(io: Io, { kubeconfig, context }: ChosenCluster): Promise<OpenCluster> {
  const { loadConfig } = await import("../../client/config/load-config.ts");
  const { createClient } = await import("../../client/create-client.ts");
  const { HttpTransport } = await import("../../client/transport/http-transport.ts");
  const config = await loadConfig({ kubeconfig, context, env: io.env });
  const transport = new HttpTransport(config);
  await nameCluster(io, config, transport);
  return { config, transport, client: createClient({ transport }) };
}

/**
 * Names the cluster that the command is about to use, unless it is a sandbox. Fails if the server can't be reached. The
 * names in a kubeconfig prove nothing, as a file that `run --local` wrote may lead to a cluster: a sandbox says so in
 * its version.
 */
async function nameCluster(io: Io, config: ClientConfig, transport: Transport): Promise<void> {
  const answer = await transport.request({ method: "GET", path: "/version", signal: io.signal });
  const isSandbox = /"gitVersion": *"[^"]*\+tsop"/.test(await answer.text());
  if (!isSandbox) io.stderr.write(`${clusterText(config)}\n`);
}
