import { compareText } from "../../../apimachinery/compare-text.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { listAt, mapAt, numberAt, textAt, textsAt, valueAt } from "./field-access.ts";
import type { Cell } from "./printer.ts";

/** Formats labels as `a=b,c=d`, sorted by key; `<none>` if there are none. */
export function labelText(labels: Fields): string {
  return pairs(labels).join(",") || "<none>";
}

/** Formats a label selector like kubectl: `a=b,c in (d,e),!f`; `<none>` if it has no requirement. */
export function labelSelectorText(selector: unknown): string {
  const requirements = [
    ...Object.entries(mapAt(selector, "matchLabels")).map(([key, value]) => ({ key, text: `${key}=${String(value)}` })),
    ...listAt(selector, "matchExpressions").map((expression) => {
      const key = textAt(expression, "key");
      return { key, text: requirementText(key, textAt(expression, "operator"), textsAt(expression, "values")) };
    }),
  ];
  const byKey = requirements.sort((a, b) => compareText(a.key, b.key));
  return byKey.map(({ text }) => text).join(",") || "<none>";
}

function pairs(labels: Fields): string[] {
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`);
}

function requirementText(key: string, operator: string, values: readonly string[]): string {
  const list = `(${values.toSorted().join(",")})`;
  switch (operator) {
    case "In":
      return `${key} in ${list}`;
    case "NotIn":
      return `${key} notin ${list}`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return "<error>";
  }
}

/** Returns the names and the images of the containers of a pod template. */
export function containerCells(template: unknown): [names: string, images: string] {
  const containers = listAt(template, "spec", "containers");
  const column = (field: string): string => containers.map((container) => textAt(container, field)).join(",");
  return [column("name"), column("image")];
}

export const replicaColumns = "Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*";

/** Returns the cells of a ReplicaSet or a ReplicationController. */
export function replicaCells(object: Fields, selector: string): Cell[] {
  return [
    numberAt(object, "spec", "replicas"),
    numberAt(object, "status", "replicas"),
    numberAt(object, "status", "readyReplicas"),
    ...containerCells(valueAt(object, "spec", "template")),
    selector,
  ];
}
