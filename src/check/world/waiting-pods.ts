import type { Client } from "../../client/client.ts";
import { dataReader } from "../../sandbox/simulation/context/data-reader.ts";
import { PodKind, type Pod } from "../../sandbox/simulation/context/simulated-kinds.ts";
import { gatherNeeds, missingClaim, type MissingObject } from "../../sandbox/simulation/pods/pod-needs.ts";
import { prefixOf } from "./object-state.ts";

/**
 * Reports which pods wait for an object that does not exist, such as a Secret. The pods of a workload are named once.
 */
export async function waitingPods(client: Client): Promise<string[]> {
  const { items } = await client.list(PodKind);
  const waiting = new Set<string>();
  for (const pod of items.filter(({ status }) => status?.phase === "Pending")) {
    const lack = await lackOf(pod, client);
    if (!lack) continue;
    const { namespace, name } = pod.metadata;
    const prefix = prefixOf(pod);
    waiting.add(`pod ${namespace}/${prefix === undefined ? name : `${prefix}*`}: ${describeLack(lack)}`);
  }
  return [...waiting];
}

async function lackOf(pod: Pod, client: Client): Promise<MissingObject | undefined> {
  const claim = await missingClaim(pod, client);
  if (claim) return claim;
  const needs = await gatherNeeds(pod, dataReader(client, pod.metadata.namespace));
  return "lack" in needs ? needs.lack : undefined;
}

function describeLack(lack: MissingObject): string {
  switch (lack.type) {
    case "claim":
      return `persistentvolumeclaim "${lack.claim}" not found`;
    case "volume":
      return `volume "${lack.volume}": ${lack.message}`;
    case "variable":
      return `container "${lack.container}": ${lack.message}`;
  }
}
