import { isInt64 } from "../../apimachinery/go-numbers.ts";
import { goType } from "../../apimachinery/go-text.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { invalid, type FieldError } from "../../apimachinery/field-error.ts";
import { ownField } from "../../apimachinery/set-field.ts";
import type { CrdScale } from "../../apimachinery/crd/crd-types.ts";

const largestCount = 2 ** 31 - 1;

/** Returns the errors of the fields that the `scale` subresource shows. */
export function scaleErrors(scale: CrdScale | undefined, object: UnstructuredObject): FieldError[] {
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...countErrors(object, specReplicasPath),
    ...countErrors(object, statusReplicasPath),
    ...(labelSelectorPath ? selectorErrors(object, labelSelectorPath) : []),
  ];
}

function countErrors(object: UnstructuredObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ("error" in found) return [invalid(path, 0, found.error)];
  const { value = 0 } = found;
  if (typeof value !== "number" || !isInt64(value)) return [invalid(path, 0, wrongType(path, value, "int64"))];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  return value > largestCount ? [invalid(path, value, `should be less than or equal to ${largestCount}`)] : [];
}

function selectorErrors(object: UnstructuredObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ("error" in found) return [invalid(path, "", found.error)];
  const { value = "" } = found;
  return typeof value === "string" ? [] : [invalid(path, "", wrongType(path, value, "string"))];
}

/** Returns the value at a path, `undefined` if it or a field on the way is absent. */
function lookUp(object: unknown, path: string): { value: unknown } | { error: string } {
  let value = object;
  let place = "";
  for (const name of path.replace(/^\./, "").split(".")) {
    place += `.${name}`;
    if (value === null) return { value: undefined };
    if (typeof value !== "object" || Array.isArray(value))
      return { error: wrongType(place, value, "map[string]interface{}") };
    value = ownField(value as Record<string, unknown>, name);
    if (value === undefined) return { value };
  }
  return { value };
}

function wrongType(path: string, value: unknown, wanted: string): string {
  return `${path} accessor error: ${JSON.stringify(value)} is of the type ${goType(value)}, expected ${wanted}`;
}
