import type { Client } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type { Transport } from "../../client/transport.ts";
import type { Io } from "../io.ts";
import { clusterText } from "../terminal/texts.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import type { ClusterFlags } from "../flags/cluster-flags.ts";
import { PendingTable } from "../terminal/pending-table.ts";

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

/** A cluster of the user, with the connection to its server. */
interface ConnectedCluster extends OlmHost {
  readonly transport: Transport;
}

/** Connects to the cluster of the flags. Fails if its server can't be reached, before anything is downloaded for it. */
export async function connectCluster(io: Io, flags: ClusterFlags): Promise<ConnectedCluster> {
  const { config, transport, client } = await openCluster(io, flags);
  const { signal } = io;
  return {
    client,
    transport,
    namespace: flags.namespace ?? config.namespace,
    signal,
    timeoutMs: flags.timeout,
    ...progressOf(io),
  };
}

/** Shows progress by lines; on a terminal, a table below them shows the objects that the command waits for. */
function progressOf({ stderr }: Io): Pick<OlmHost, "emit" | "show"> {
  if (!stderr.isTTY) return { emit: (line) => stderr.write(`${line}\n`) };
  const table = new PendingTable(stderr);
  return { emit: (line) => table.write(line), show: (rows) => table.show(rows) };
}
