import type { Transport } from "../../client/transport.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import type { ClusterFlags } from "../flags/cluster-flags.ts";
import type { Io } from "../io.ts";
import { PendingTable } from "../terminal/pending-table.ts";
import { nameCluster } from "./name-cluster.ts";

/** A cluster of the user, with the connection to its server. */
export interface ConnectedCluster extends OlmHost {
  readonly transport: Transport;
}

/** Connects to the cluster of the flags. Fails if its server can't be reached, before anything is downloaded for it. */
export async function connectCluster(io: Io, flags: ClusterFlags): Promise<ConnectedCluster> {
  const [{ loadConfig }, { createClient }, { HttpTransport }] = await Promise.all([
    import("../../client/config/load-config.ts"),
    import("../../client/create-client.ts"),
    import("../../client/transport/http-transport.ts"),
  ]);
  const { kubeconfig, context, timeout: timeoutMs } = flags;
  const config = await loadConfig({ kubeconfig, context, env: io.env });
  const { signal } = io;
  const transport = new HttpTransport(config);
  await nameCluster(io, config, transport);
  const client = createClient({ transport });
  return { client, transport, namespace: flags.namespace ?? config.namespace, signal, timeoutMs, ...progressOf(io) };
}

/** Shows progress by lines; on a terminal, a table below them shows the objects that the command waits for. */
function progressOf({ stderr }: Io): Pick<OlmHost, "emit" | "show"> {
  if (!stderr.isTTY) return { emit: (line) => stderr.write(`${line}\n`) };
  const table = new PendingTable(stderr);
  return { emit: (line) => table.write(line), show: (rows) => table.show(rows) };
}
