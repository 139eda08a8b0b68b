import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { valueAt } from "../../registry/simple-path.ts";
import type { Strategy } from "../../registry/strategy.ts";

export const immutableText = "field is immutable";

/** Returns an error for each path whose value has changed. */
export function immutable(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  paths: readonly string[],
): FieldError[] {
  if (!old) return [];
  return paths
    .filter((path) => !equalJson(valueAt(object, path), valueAt(old, path)))
    .map((path) => invalid(path, valueAt(object, path), immutableText));
}

/** Returns the check of a kind whose only rule is that some fields do not change. */
export function keeps(paths: readonly string[]): NonNullable<Strategy["validate"]> {
  return (object, old) => immutable(object, old, paths);
}

/** Returns the spec: `metadata.generation` of most built-in kinds counts its changes. */
export function desiredSpec(object: UnstructuredObject): unknown {
  return object["spec"];
}
