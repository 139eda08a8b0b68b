import { containerCells } from "./container-cells.ts";
import { numberAt, valueAt } from "./field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { creationAge } from "./human-duration.ts";
import type { Cell } from "./printer.ts";

export const replicaColumns = "Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*";

/** Returns the cells of a ReplicaSet or a ReplicationController. */
export function replicaCells(object: Fields, now: number, selector: string): Cell[] {
  return [
    numberAt(object, "spec", "replicas"),
    numberAt(object, "status", "replicas"),
    numberAt(object, "status", "readyReplicas"),
    creationAge(object, now),
    ...containerCells(valueAt(object, "spec", "template")),
    selector,
  ];
}
