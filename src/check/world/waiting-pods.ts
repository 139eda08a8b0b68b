import type { Client } from "../../client/client.ts";
import { dataReader } from "../../sandbox/simulation/context/data-reader.ts";
import { NodeKind, PodKind, type Node, type Pod } from "../../sandbox/simulation/context/simulated-kinds.ts";
import { gatherNeeds, missingPlace, type Lack } from "../../sandbox/simulation/pods/pod-needs.ts";
import { nodeName } from "../../sandbox/simulation/pods/register-node.ts";
import { prefixOf } from "./object-state.ts";

/** Tells which pods wait for an object that does not exist, such as a Secret. The pods of a workload are named once. */
export async function waitingPods(client: Client): Promise<string[]> {
  const { items } = await client.list(PodKind);
  const node = await client.getOrUndefined(NodeKind, { name: nodeName });
  const waiting = new Set<string>();
  for (const pod of items.filter(({ status }) => status?.phase === "Pending")) {
    const lack = await lackOf(pod, node, client);
    if (!lack) continue;
    const { namespace, name } = pod.metadata;
    const prefix = prefixOf(pod);
    waiting.add(`pod ${namespace}/${prefix === undefined ? name : `${prefix}*`}: ${describeLack(lack)}`);
  }
  return [...waiting];
}

async function lackOf(pod: Pod, node: Node | undefined, client: Client): Promise<Lack | undefined> {
  const place = pod.spec.nodeName ? undefined : await missingPlace(pod, node, client);
  if (place) return place;
  const needs = await gatherNeeds(pod, dataReader(client, pod.metadata.namespace));
  return "lack" in needs ? needs.lack : undefined;
}

function describeLack(lack: Lack): string {
  switch (lack.type) {
    case "node":
      return `node ${nodeName} is cordoned`;
    case "claim":
      return `persistentvolumeclaim "${lack.claim}" not found`;
    case "volume":
      return `volume "${lack.volume}": ${lack.message}`;
    case "variable":
      return `container "${lack.container}": ${lack.message}`;
  }
}
