import { isConditionTrue } from "../../apimachinery/conditions.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { OlmHost } from "./olm-host.ts";
import { podState } from "./pod-state.ts";
import { PodKind } from "./serve-catalog.ts";
import { warningEvents } from "./warning-events.ts";

export const DeploymentKind: Kind<UnstructuredObject> = defineKind({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
});

/** Returns why a deployment is not available: its conditions and its pods; nothing if it is. */
export async function describeDeployment(
  { client, namespace }: Pick<OlmHost, "client" | "namespace">,
  name: string,
): Promise<string[]> {
  const deployment = await client.getOrUndefined(DeploymentKind, { namespace, name });
  if (!deployment) return [`deployment ${name} does not exist`];
  const { conditions = [] } = (deployment["status"] ?? {}) as {
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
  };
  if (isConditionTrue(conditions, "Available")) return [];
  const labels = (deployment["spec"] as { selector: { matchLabels?: Record<string, string> } }).selector.matchLabels;
  const pods = await client.list(PodKind, { namespace, ...(labels && { labels }) });
  const conditionTexts = conditions
    .filter(({ type, status }) => (type === "ReplicaFailure" ? status === "True" : status === "False"))
    .map(({ reason, message }) => `deployment ${name}: ${reason}: ${message}`);
  const all = [...conditionTexts, ...pods.items.map((pod) => `pod ${pod.metadata.name}: ${podState(pod)}`)];
  return all.length > 0 ? all : [`deployment ${name} is not available yet`];
}

/** Explains why a deployment is not available, for good: with the events of it, of its replica sets and of its pods. */
export async function explainDeployment(where: Pick<OlmHost, "client" | "namespace">, name: string): Promise<string[]> {
  const states = await describeDeployment(where, name);
  if (states.length === 0) return [];
  const isOfDeployment = (involved: string): boolean => involved === name || involved.startsWith(`${name}-`);
  return [...states, ...(await warningEvents(where, isOfDeployment))];
}
