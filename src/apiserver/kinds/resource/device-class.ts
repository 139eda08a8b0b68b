import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { agePrinter } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { listErrors } from "../rules/list-errors.ts";
import { isExtended } from "../rules/resource-name-errors.ts";
import { configErrors, mostEntries, selectorErrors } from "./device-errors.ts";

/** DeviceClass. */
export const deviceClass: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  validate: (deviceClass) => classErrors(childIf(deviceClass, "spec") ?? {}),
  printer: agePrinter,
};

function classErrors(spec: Fields): FieldError[] {
  const { extendedResourceName: name } = spec;
  return [
    ...selectorErrors(spec, "spec"),
    ...listErrors(items(spec, "config"), "spec.config", { most: mostEntries, itemErrors: configErrors }),
    ...(name === undefined || isExtended(textOf(name))
      ? []
      : [invalid("spec.extendedResourceName", name, "must be a valid extended resource name")]),
  ];
}
