import { fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt, valueAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { creationAge } from "../printing/human-duration.ts";
import { nameColumn, parseColumns } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";

/** StorageClass. */
export const storageClass: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: (storageClass) => fill(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  validate: (storageClass, old) => [
    ...storageClassErrors(storageClass),
    ...immutable(storageClass, old, ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"]),
  ],
  printer: {
    columns: [nameColumn, ...parseColumns("Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age")],
    cells: (object, now) => [
      textAt(object, "metadata", "name") + (isDefaultClass(object) ? " (default)" : ""),
      textAt(object, "provisioner"),
      textAt(object, "reclaimPolicy") || "Delete",
      textAt(object, "volumeBindingMode") || "Immediate",
      valueAt(object, "allowVolumeExpansion") === true,
      creationAge(object, now),
    ],
  },
};

function isDefaultClass(object: Fields): boolean {
  return mapAt(object, "metadata", "annotations")["storageclass.kubernetes.io/is-default-class"] === "true";
}

function storageClassErrors(storageClass: UnstructuredObject): FieldError[] {
  const { provisioner } = storageClass as { provisioner?: string };
  return [
    ...(provisioner ? labelKeyErrors("provisioner", provisioner.toLowerCase()) : [required("provisioner")]),
    ...wordErrors("reclaimPolicy", storageClass["reclaimPolicy"], ["Delete", "Retain"]),
    ...wordErrors("volumeBindingMode", storageClass["volumeBindingMode"], ["Immediate", "WaitForFirstConsumer"]),
  ];
}
