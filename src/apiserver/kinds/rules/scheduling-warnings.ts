import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { nodeLabelProblem, nodeLabelWarnings, nodeTermWarnings } from "./node-label-warnings.ts";

/** Returns warnings about where a pod may run: labels that are not in use any more, and selectors that select nothing. */
export function schedulingWarnings(spec: Fields | undefined, path: string): string[] {
  const affinity = childIf(spec, "affinity");
  return [
    ...Object.keys(childIf(spec, "nodeSelector") ?? {}).flatMap((label) => {
      const problem = nodeLabelProblem(label);
      return problem === undefined ? [] : [`${path}.nodeSelector[${label}]: ${problem}`];
    }),
    ...nodeAffinityWarnings(childIf(affinity, "nodeAffinity"), `${path}.affinity.nodeAffinity`),
    ...["podAffinity", "podAntiAffinity"].flatMap((kind) =>
      podAffinityWarnings(childIf(affinity, kind), `${path}.affinity.${kind}`),
    ),
    ...items(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
      const at = `${path}.topologySpreadConstraints[${index}]`;
      return [
        ...nodeLabelWarnings(textOf(constraint["topologyKey"]), `${at}.topologyKey`),
        ...selectorWarnings(constraint, at),
      ];
    }),
  ];
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityWarnings(affinity: Fields | undefined, at: string): string[] {
  const wishes = items(affinity, preferred).map((wish) => childIf(wish, "preference") ?? {});
  return [
    ...nodeTermWarnings(
      items(childIf(affinity, required), "nodeSelectorTerms"),
      (index) => `${at}.${required}.nodeSelectorTerms[${index}]`,
    ),
    ...nodeTermWarnings(wishes, (index) => `${at}.${preferred}[${index}].preference`),
  ];
}

function podAffinityWarnings(affinity: Fields | undefined, at: string): string[] {
  return [
    ...items(affinity, required).flatMap((term, index) => selectorWarnings(term, `${at}.${required}[${index}]`)),
    ...items(affinity, preferred).flatMap((wish, index) =>
      selectorWarnings(childIf(wish, "podAffinityTerm"), `${at}.${preferred}[${index}].podAffinityTerm`),
    ),
  ];
}

function selectorWarnings(term: Fields | undefined, at: string): string[] {
  if (!term || childIf(term, "labelSelector")) return [];
  return [`${at}.labelSelector: a null labelSelector results in matching no pod`];
}
