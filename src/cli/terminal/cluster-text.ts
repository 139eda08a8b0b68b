import type { ClientConfig } from "../../client/config/config.ts";

/** Returns the line that names the cluster that a command uses. */
export function clusterText({ server, source }: Pick<ClientConfig, "server" | "source">): string {
  return `Using the cluster at ${server}, ${source}`;
}
