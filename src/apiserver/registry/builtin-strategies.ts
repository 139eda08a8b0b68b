import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServedResource } from "./served-resource.ts";
import type { Strategy } from "./strategy.ts";

/** Built-in kinds that count their spec in `metadata.generation`. */
const withGeneration = new Set([
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "Ingress",
  "NetworkPolicy",
  "PodDisruptionBudget",
  "EndpointSlice",
  "Pod",
  "ReplicationController",
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

/** The strategy of a built-in kind. */
export function builtinStrategy(resource: ServedResource): Strategy {
  const base: Strategy = { unconditionalUpdate: true };
  return withGeneration.has(resource.kind) ? { ...base, generationOf: desiredState } : base;
}

function desiredState(object: UnstructuredObject): unknown {
  const { metadata: _metadata, status: _status, ...rest } = object;
  return rest;
}
