import type { LabelSelectorRequirement } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher, parseLabelSelector } from "../../../apimachinery/selectors.ts";
import type { Node, PodSpec } from "../context/simulated-kinds.ts";

/** Reports whether pods start on a node, and whether those that run there stay. */
export interface NodeFit {
  readonly starts: boolean;
  readonly stays: boolean;
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: string[];
}

interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

/** The part of a pod's spec that chooses nodes. */
export interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: NodeSelectorTerm[] };
    };
  };
  readonly tolerations?: readonly Toleration[];
}

/** Returns how pods that the user has placed fit a node. */
export function fitNode(spec: PodSpec, { metadata, spec: node = {} }: Node): NodeFit {
  const { nodeSelector = {}, affinity, tolerations = [] } = spec as Placement;
  const { name = "", labels = {} } = metadata;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isChosen =
    (!spec.nodeName || spec.nodeName === name) &&
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    (!terms || terms.some((term) => matchesTerm(term, { name, labels })));
  if (!isChosen) return { starts: false, stays: false };
  const taints = (node["taints"] ?? []) as readonly Taint[];
  const repelling = taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
  const repels = (effect: string): boolean => repelling.some((taint) => taint.effect === effect);
  return { starts: !repels("NoSchedule") && !repels("NoExecute"), stays: !repels("NoExecute") };
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

function meets({ key, operator, values = [] }: NodeRequirement, labels: Readonly<Record<string, string>>): boolean {
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
