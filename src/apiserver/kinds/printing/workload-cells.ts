import type { Fields } from "../../../apimachinery/fields.ts";
import { listAt, numberAt, textAt, valueAt } from "./field-access.ts";
import type { Cell } from "./printer.ts";

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
