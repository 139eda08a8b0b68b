import { type Fields, child, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { formatQuantity } from "../../../apimachinery/quantity.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import { setField } from "../../../apimachinery/set-field.ts";
import type { LimitItem } from "./limit-item.ts";

const annotation = "kubernetes.io/limit-ranger";

/** Sets the requests and limits that the containers of a pod lack, and records them in an annotation of the pod. */
export function defaultResources(pod: UnstructuredObject, limits: readonly LimitItem[]): void {
  const ofContainers = limits.filter(({ type }) => type === "Container");
  const spec = childIf(pod, "spec");
  const set = [
    ...items(spec, "containers").flatMap((container) => defaultContainer(container, ofContainers, "container")),
    ...items(spec, "initContainers").flatMap((container) =>
      defaultContainer(container, ofContainers, "init container"),
    ),
  ];
  if (set.length === 0) return;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${set.join("; ")}` };
}

/** Describes the fields that were set, as in the annotation. */
function defaultContainer(container: Fields, limits: readonly LimitItem[], role: string): string[] {
  const resources = child(container, "resources");
  const texts = (["requests", "limits"] as const).flatMap((side) => {
    const defaults = limits.map((limit) => (side === "limits" ? limit.default : limit.defaultRequest));
    const names = defaults.flatMap((list) => fillMissing(resources, side, list)).sort();
    const what = side === "limits" ? "limit" : "request";
    return names.length > 0 ? [`${names.join(", ")} ${what} for ${role} ${textOf(container["name"])}`] : [];
  });
  return texts;
}

function fillMissing(resources: Fields, side: string, defaults: ResourceList): string[] {
  const amounts = childIf(resources, side) ?? {};
  const missing = [...defaults].filter(([name]) => amounts[name] === undefined);
  if (missing.length === 0) return [];
  const added = missing.map(([name, amount]) => [name, formatQuantity(amount)] as const);
  setField(resources, side, { ...amounts, ...Object.fromEntries(added) });
  return missing.map(([name]) => name);
}
