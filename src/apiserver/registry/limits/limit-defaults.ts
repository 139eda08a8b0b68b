import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { child, childIf, items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { limitRanges, limitsOf, type Amounts } from "./limit-range.ts";
import type { StrategyContext } from "../strategy.ts";

const annotation = "kubernetes.io/limit-ranger";

/** Gives a new pod's containers what the namespace's LimitRanges have for those that say nothing; an admission plugin's work. */
export function defaultLimits(pod: UnstructuredObject, { list }: StrategyContext): void {
  const told: string[] = [];
  for (const range of list(limitRanges)) {
    if (range.metadata.namespace !== pod.metadata.namespace) continue;
    for (const limit of limitsOf(range).filter(({ type }) => type === "Container"))
      for (const [field, word] of lists)
        for (const container of items(childIf(pod, "spec"), field)) {
          told.push(...filled(container, { list: "requests", amounts: limit.defaultRequest, word }));
          told.push(...filled(container, { list: "limits", amounts: limit.default, word }));
        }
  }
  if (told.length === 0) return;
  const text = `LimitRanger plugin set: ${told.join("; ")}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: text };
}

const lists = [
  ["containers", "container"],
  ["initContainers", "init container"],
] as const;

interface Filling {
  readonly list: "requests" | "limits";
  readonly amounts: Amounts | undefined;
  readonly word: string;
}

function filled(container: Fields, { list, amounts = {}, word }: Filling): string[] {
  const present = childIf(childIf(container, "resources"), list) ?? {};
  const missing = Object.keys(amounts)
    .filter((name) => !Object.hasOwn(present, name))
    .toSorted();
  if (missing.length === 0) return [];
  const target = child(child(container, "resources"), list);
  for (const name of missing) target[name] = amounts[name];
  return [`${missing.join(", ")} ${list.slice(0, -1)} for ${word} ${textOf(container["name"])}`];
}
