import { fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt, valueAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { creationAge } from "../printing/human-duration.ts";
import { nameColumn, parseColumns } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

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
  const { provisioner, parameters = {} } = storageClass as { provisioner?: string; parameters?: object };
  return [
    ...(provisioner ? labelKeyErrors("provisioner", provisioner.toLowerCase()) : [required("provisioner")]),
    ...(Object.hasOwn(parameters, "") ? [invalid("parameters", "", "field can not be empty.")] : []),
    ...oneOf(storageClass, "reclaimPolicy", ["Delete", "Retain"]),
    ...oneOf(storageClass, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...items(storageClass, "allowedTopologies").flatMap((term, index) =>
      termErrors(term, `allowedTopologies[${index}].matchLabelExpressions`),
    ),
  ];
}

function oneOf(object: UnstructuredObject, field: string, words: readonly string[]): FieldError[] {
  return words.includes(textOf(object[field])) ? [] : [notSupported(field, object[field], words)];
}

function termErrors(term: Fields, at: string): FieldError[] {
  return items(term, "matchLabelExpressions").flatMap(({ key = "", values }, index) => [
    ...(Array.isArray(values) && values.length > 0 ? [] : [required(`${at}[${index}].values`)]),
    ...labelKeyErrors(`${at}[${index}].key`, textOf(key)),
  ]);
}
