import { type Fields, items, textOf } from "../../../apimachinery/fields.ts";

/** Labels of nodes that others have replaced. */
const replaced: Readonly<Record<string, readonly [since: string, by: string]>> = {
  "beta.kubernetes.io/arch": ["v1.14", "kubernetes.io/arch"],
  "beta.kubernetes.io/os": ["v1.14", "kubernetes.io/os"],
  "beta.kubernetes.io/instance-type": ["v1.17", "node.kubernetes.io/instance-type"],
  "failure-domain.beta.kubernetes.io/region": ["v1.17", "topology.kubernetes.io/region"],
  "failure-domain.beta.kubernetes.io/zone": ["v1.17", "topology.kubernetes.io/zone"],
};

/** Returns the problem of a label of nodes; `undefined` if it is in use. */
export function nodeLabelProblem(label: string): string | undefined {
  const found = Object.hasOwn(replaced, label) ? replaced[label] : undefined;
  return found && `deprecated since ${found[0]}; use ${JSON.stringify(found[1])} instead`;
}

/** Returns the label of nodes that is in use instead of a replaced one. */
export function currentNodeLabel(label: string): string {
  return Object.hasOwn(replaced, label) ? replaced[label]![1] : label;
}

/** Returns a warning of a field whose value is a label of nodes that is not in use any more. */
export function nodeLabelWarnings(label: string, at: string): string[] {
  const problem = nodeLabelProblem(label);
  return problem === undefined ? [] : [`${at}: ${label} is ${problem}`];
}

/** Returns warnings about the labels in the terms of a node selector. */
export function nodeTermWarnings(terms: readonly Fields[], at: (index: number) => string): string[] {
  return terms.flatMap((term, index) =>
    items(term, "matchExpressions").flatMap(({ key }, place) =>
      nodeLabelWarnings(textOf(key), `${at(index)}.matchExpressions[${place}].key`),
    ),
  );
}
