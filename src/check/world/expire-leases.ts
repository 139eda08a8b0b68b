import { defineKind } from "../../apimachinery/kind.ts";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { ConfigMapKind } from "../../sandbox/simulation/context/simulated-kinds.ts";
import { isLeaderAnnotated } from "./traffic.ts";

const leases = defineKind({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
});

/** Deletes the leases of an operator that is gone, which would otherwise have to expire. */
export async function expireLeases(client: Client): Promise<void> {
  const { items } = await client.list(leases);
  for (const lease of items) await client.delete(leases, lease.metadata).catch(ignoreNotFound);
  const maps = await client.list(ConfigMapKind);
  for (const { metadata } of maps.items)
    if (isLeaderAnnotated(metadata)) await client.delete(ConfigMapKind, metadata).catch(ignoreNotFound);
}
