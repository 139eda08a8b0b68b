import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { immutableText } from "../../../apimachinery/tags.ts";
import { namesOf } from "../../registry/simple-path.ts";
import { valueAt } from "../printing/field-access.ts";
import { fieldRules, type Rows } from "./field-rules.ts";

/** Returns an error for each path whose value has changed. */
export function immutable(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  paths: readonly string[],
): FieldError[] {
  if (!old) return [];
  return paths.flatMap((path) => {
    const [value, before] = [object, old].map((each) => valueAt(each, ...namesOf(path)));
    return equalJson(value, before) ? [] : [invalid(path, value, immutableText)];
  });
}

/** Returns the check of a kind by rows, and by the paths of fields that do not change. An absent spec counts as an empty one. */
export function kindRules(rows: Rows, ...fixed: readonly string[]): KindCheck {
  const check = fieldRules(rows);
  return (object, old) => [...check({ spec: {}, ...object }), ...immutable(object, old, fixed)];
}

type KindCheck = (object: UnstructuredObject, old: UnstructuredObject | undefined) => FieldError[];

/** Returns the spec: `metadata.generation` of most built-in kinds counts its changes. */
export function desiredSpec(object: UnstructuredObject): unknown {
  return object["spec"];
}

/** Keeps fields of the metadata that a write of the status does not change. */
export function keepMeta(object: UnstructuredObject, old: UnstructuredObject, ...names: (keyof ObjectMeta)[]): void {
  for (const name of names) {
    delete object.metadata[name];
    if (old.metadata[name] !== undefined) Object.assign(object.metadata, { [name]: old.metadata[name] });
  }
}
