import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { namesOf } from "../../registry/simple-path.ts";
import { valueAt } from "../printing/field-access.ts";

/** Returns warnings about allowed but harmful parts of a pod's spec. */
export function podWarnings(spec: Fields | undefined, path: string): string[] {
  const grace = `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  return [
    ...(Number(spec?.["terminationGracePeriodSeconds"] ?? 0) < 0 ? [grace] : []),
    ...["initContainers", "containers"].flatMap((list) =>
      items(spec, list).flatMap((container, index) => containerWarnings(container, `${path}.${list}[${index}]`)),
    ),
  ];
}

/** Returns warnings about the pods of a template if the spec has changed. */
export function templateWarnings(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  at = "spec.template",
): string[] {
  if (old && old.metadata.generation === object.metadata.generation) return [];
  const template = valueAt(object, ...namesOf(at)) as Fields | undefined;
  return podWarnings(childIf(template, "spec"), `${at}.spec`);
}

function containerWarnings(container: Fields, at: string): string[] {
  return [
    ...repeatedVariables(items(container, "env"), `${at}.env`),
    ...brokenBytes(childIf(container, "resources"), ["memory", "ephemeral-storage"], `${at}.resources`),
  ];
}

/** Warns of a part of a byte, such as the memory "100m". */
export function brokenBytes(resources: Fields | undefined, names: readonly string[], at: string): string[] {
  return ["limits", "requests"].flatMap((list) => brokenAmounts(childIf(resources, list), names, `${at}.${list}`));
}

function brokenAmounts(amounts: Fields | undefined, names: readonly string[], at: string): string[] {
  return names.flatMap((name) => {
    const amount = textOf(amounts?.[name]);
    if (amount === "" || parseQuantity(amount).nanos % 1_000_000_000n === 0n) return [];
    return [`${at}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

function repeatedVariables(variables: readonly Fields[], at: string): string[] {
  const seen = new Set<unknown>();
  return variables.flatMap(({ name }, index) => {
    if (seen.has(name))
      return [
        `${at}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
      ];
    seen.add(name);
    return [];
  });
}
