import { cloneJson } from "../clone.ts";
import { invalid, type FieldError } from "./field-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import { pruneUnknown } from "./prune.ts";
import { validateValue } from "./validate-value.ts";

/** What an API server finds wrong with a default: its own schema must allow it. Rules are not looked at. */
export function defaultErrors(schema: JsonSchema, path: string): FieldError[] {
  // A null is read as no default.
  if (schema.default === undefined || schema.default === null) return [];
  const errors: FieldError[] = [];
  const value = cloneJson(schema.default);
  pruneUnknown({ ...schema, "x-kubernetes-embedded-resource": false }, value, () => {
    if (errors.length === 0) errors.push(invalid(`${path}.default`, schema.default, "must not have unknown fields"));
  });
  for (const { reason, field, message } of validateValue(schema, schema.default)) {
    // Whether the elements of a set differ is asked of objects only.
    if (reason !== "FieldValueDuplicate") errors.push({ reason, field: fieldOfDefault(path, field), message });
  }
  return errors;
}

/** A field of a default, as the server spells it. */
export function fieldOfDefault(path: string, field: string): string {
  return field === "<nil>" || field === "" ? `${path}.default` : `${path}.default.${field}`;
}
