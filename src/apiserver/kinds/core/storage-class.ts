import { fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt, valueAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, text } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

const classPrinter = printer("Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age", (object) => [
  textAt(object, "provisioner"),
  textAt(object, "reclaimPolicy") || "Delete",
  textAt(object, "volumeBindingMode") || "Immediate",
  valueAt(object, "allowVolumeExpansion") === true,
]);

/** StorageClass. */
export const storageClass: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults: (storageClass) => fill(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  validate: kindRules({
    provisioner: text((at, name) => labelKeyErrors(at, name.toLowerCase())),
    reclaimPolicy: enumOf("Delete", "Retain"),
  }),
  printer: {
    ...classPrinter,
    cells(object, now) {
      const [name, ...cells] = classPrinter.cells(object, now);
      return [isDefaultClass(object) ? `${String(name)} (default)` : name!, ...cells];
    },
  },
};

function isDefaultClass(object: Fields): boolean {
  return mapAt(object, "metadata", "annotations")["storageclass.kubernetes.io/is-default-class"] === "true";
}
