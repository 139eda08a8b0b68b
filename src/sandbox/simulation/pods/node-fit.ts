import type { LabelSelectorRequirement } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher, parseLabelSelector } from "../../../apimachinery/selectors.ts";
import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Taint,
  Toleration,
} from "../../../k8s/core/v1.ts";

/** The taint of a node that somebody has cordoned. */
export const cordonTaint = "node.kubernetes.io/unschedulable";

/** Reports whether pods start on a node, and whether those that run there stay. */
export interface NodeFit {
  readonly starts: boolean;
  readonly stays: boolean;
}

/** Returns how the pods of a DaemonSet fit a node. */
export function fitNode(spec: PodSpec, node: Node): NodeFit {
  const { nodeSelector = {}, affinity } = spec;
  const { name = "", labels = {} } = node.metadata;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isChosen =
    (!spec.nodeName || spec.nodeName === name) &&
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    (!terms || terms.some((term) => matchesTerm(term, { name, labels })));
  if (!isChosen) return { starts: false, stays: false };
  const effects = repellingEffects(spec, node);
  const stays = !effects.includes("NoExecute");
  return { starts: stays && !effects.includes("NoSchedule"), stays };
}

/** Returns why the node takes no pod of a workload; undefined if it does. */
export function schedulingProblem(spec: PodSpec, node: Node | undefined): string | undefined {
  if (!node) return "no nodes available to schedule pods";
  const { tolerations = [] } = spec;
  const cordon = { key: cordonTaint, effect: "NoSchedule" } as const;
  const isCordoned = node.spec?.unschedulable && !tolerations.some((each) => tolerates(each, cordon));
  const isTainted = repellingEffects(spec, node).some((effect) => effect !== "PreferNoSchedule");
  if (!isCordoned && !isTainted) return undefined;
  return `0/1 nodes are available: 1 node(s) ${isCordoned ? "were unschedulable" : "had untolerated taint(s)"}.`;
}

/** Returns the effects of the taints of a node that a pod does not tolerate. */
function repellingEffects(spec: PodSpec, node: Node): string[] {
  const { tolerations = [] } = spec;
  return (node.spec?.taints ?? [])
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
    .map(({ effect }) => effect);
}

/** A term without requirements matches no node. */
function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { name, labels }: { readonly name: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  const fields = { "metadata.name": name };
  return (
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((requirement) => meets(requirement, labels)) &&
    matchFields.every((requirement) => meets(requirement, fields))
  );
}

function meets(
  { key, operator, values = [] }: NodeSelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (operator === "Gt" || operator === "Lt")
    return parseLabelSelector(`${key}${operator === "Gt" ? ">" : "<"}${values[0]}`).matches(labels);
  const requirement = { key, operator, values } as LabelSelectorRequirement;
  return labelSelectorMatcher({ matchExpressions: [requirement] }).matches(labels);
}

function tolerates({ key, operator = "Equal", value = "", effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === "Exists" || (operator === "Equal" && value === (taint.value ?? ""));
}
