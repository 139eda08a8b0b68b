import { cloneJson } from "../clone.ts";
import { childrenOf, type ChildSchema } from "./children-of.ts";
import { invalid, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";
import { sortMembers } from "../sort-members.ts";
import { pruneUnknown } from "./prune.ts";
import { validateValue } from "./validate-value.ts";

/** Returns the errors of an API server in the defaults of a schema: each must be valid for its own schema. */
export function defaultErrors(schema: JsonSchema, path: string): FieldError[] {
  // A default for a whole object must be an object.
  const whole: JsonSchema = { ...schema, "x-kubernetes-embedded-resource": true };
  return [...ownErrors(whole, path), ...childErrors(schema, path)];
}

/** Returns a field of a default, as the server writes it: `default.[0]` for an item. */
function fieldOfDefault(path: string, field: string): string {
  return field === "<nil>" || field === "" ? `${path}.default` : `${path}.default.${field.replace(/^\./, "")}`;
}

/** Returns the parts of a schema whose defaults are checked, which excludes the values of a map. */
export function childrenWithDefaults(schema: JsonSchema, path: string): ChildSchema[] {
  return [...childrenOf(schema, path)].filter(({ child }) => child !== schema.additionalProperties);
}

function childErrors(schema: JsonSchema, path: string): FieldError[] {
  return childrenWithDefaults(schema, path).flatMap(({ child, at }) => [
    ...ownErrors(child, at),
    ...childErrors(child, at),
  ]);
}

function ownErrors(schema: JsonSchema, path: string): FieldError[] {
  // Treats a null as an absent default.
  if (schema.default === undefined || schema.default === null) return [];
  const errors: FieldError[] = [];
  const value = cloneJson(schema.default);
  pruneUnknown({ ...schema, "x-kubernetes-embedded-resource": false }, value, () => {
    if (errors.length === 0)
      errors.push(invalid(`${path}.default`, sortMembers(schema.default), "must not have unknown fields"));
  });
  for (const { reason, field, message } of validateValue(schema, schema.default)) {
    // The server checks sets for duplicates only in objects.
    if (reason !== "FieldValueDuplicate") errors.push({ reason, field: fieldOfDefault(path, field), message });
  }
  return errors;
}
