import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { valueAt } from "../simple-path.ts";

/** One finding for each path whose value has changed. */
export function immutable(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  paths: readonly string[],
): StatusCause[] {
  if (!old) return [];
  return paths
    .filter((path) => !equalJson(valueAt(object, path), valueAt(old, path)))
    .map((field) => ({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(valueAt(object, field) ?? null)}: field is immutable`,
      field,
    }));
}

/** `metadata.generation` of most built-in kinds counts changes of the spec. */
export function desiredSpec(object: UnstructuredObject): unknown {
  return object["spec"];
}
