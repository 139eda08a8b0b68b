import { isConditionTrue } from "../../apimachinery/conditions.ts";
import type { OlmHost } from "./olm-host.ts";
import { podState } from "./pod-state.ts";
import { DeploymentKind, EventKind, PodKind } from "./kinds.ts";
import type { CsvObject } from "../../client/manifests/olm-kinds.ts";

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

/**
 * Returns the warnings among the events of objects, each once. They explain what the states of the objects leave open.
 */
async function warningEvents(
  { client, namespace }: Pick<OlmHost, "client" | "namespace">,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const { items } = await client.list(EventKind, { namespace, fields: { type: "Warning" } });
  const texts = items
    .filter(({ involvedObject }) => isWanted(involvedObject?.name ?? ""))
    .map(({ involvedObject, reason, message }) => `event of ${involvedObject?.name}: ${reason}: ${message}`);
  return [...new Set(texts)];
}

/** Names the requirements of a CSV that are not met, and its deployments and pods that do not run. */
export async function explainCsv(where: Pick<OlmHost, "client" | "namespace">, csv: CsvObject): Promise<string[]> {
  const requirements = (csv.status?.requirementStatus ?? []).flatMap(
    ({ kind, name, status, message, dependents = [] }) => [
      ...(status === "Present" ? [] : [`${kind} ${name}: ${status}${message && `: ${message}`}`]),
      ...dependents.filter((each) => each.status !== "Satisfied").map((each) => `${name} lacks ${each.message}`),
    ],
  );
  const names = (csv.spec.install?.spec?.deployments ?? []).map(({ name }) => name);
  const webhooks = (csv.spec.webhookdefinitions ?? [])
    .filter(({ deploymentName = "" }) => !names.includes(deploymentName))
    .map(
      ({ generateName, deploymentName = "" }) => `webhook ${generateName}: no deployment ${deploymentName} in the CSV`,
    );
  const workloads = await Promise.all(names.map((name) => explainDeployment(where, name)));
  return [...requirements, ...webhooks, ...workloads.flat()];
}
