import type { Client } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type { Transport } from "../../client/transport.ts";
import type { Io } from "../io.ts";
import { nameCluster } from "./name-cluster.ts";

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
  const [{ loadConfig }, { createClient }, { HttpTransport }] = await Promise.all([
    import("../../client/config/load-config.ts"),
    import("../../client/create-client.ts"),
    import("../../client/transport/http-transport.ts"),
  ]);
  const config = await loadConfig({ kubeconfig, context, env: io.env });
  const transport = new HttpTransport(config);
  await nameCluster(io, config, transport);
  return { config, transport, client: createClient({ transport }) };
}
