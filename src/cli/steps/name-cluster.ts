import type { ClientConfig } from "../../client/config/config.ts";
import type { Transport } from "../../client/transport.ts";
import type { Io } from "../io.ts";
import { clusterText } from "../terminal/cluster-text.ts";

/**
 * Names the cluster that the command is about to use, unless it is a sandbox. Fails if the server can't be reached. The
 * names in a kubeconfig prove nothing, as a file that `run --local` wrote may lead to a cluster: a sandbox says so in
 * its version.
 */
export async function nameCluster(io: Io, config: ClientConfig, transport: Transport): Promise<void> {
  const answer = await transport.request({ method: "GET", path: "/version", signal: io.signal });
  const isSandbox = /"gitVersion": *"[^"]*\+tsop"/.test(await answer.text());
  if (!isSandbox) io.stderr.write(`${clusterText(config)}\n`);
}
