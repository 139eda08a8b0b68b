import type { Transport } from "../../client/transport.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import type { ClusterFlags } from "../flags/cluster-flags.ts";
import type { Io } from "../io.ts";
import { PendingTable } from "../terminal/pending-table.ts";
import { openCluster } from "./open-cluster.ts";

/** A cluster of the user, with the connection to its server. */
export interface ConnectedCluster extends OlmHost {
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
