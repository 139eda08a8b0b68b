import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { nameColumn, parseColumns } from "../printing/printer.ts";
import { keeps } from "../rules/immutable.ts";

/** VolumeAttachment. */
export const volumeAttachment: BuiltinKind = {
  returnsDeleted: true,
  validate: keeps(["spec"]),
  printer: {
    columns: [nameColumn, { ...nameColumn, name: "Attacher" }, ...parseColumns("PV|Node|Attached:boolean|Age")],
    cells: (object, now) => [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "attacher"),
      textAt(object, "spec", "source", "persistentVolumeName"),
      textAt(object, "spec", "nodeName"),
      valueAt(object, "status", "attached") === true,
      creationAge(object, now),
    ],
  },
};
