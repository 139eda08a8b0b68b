import { cloneJson } from "../clone.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * Sets defaults, in place. A null where the schema does not allow one is dropped first, so that the default applies.
 * A nested default applies only where its parent exists or has a default itself.
 */
export function applyDefaults(schema: JsonSchema, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of schema.items ? value : []) applyDefaults(schema.items!, item);
    return;
  }
  const fields = value as Record<string, unknown>;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(fields, name) && fields[name] === null && isNotNullable(child)) delete fields[name];
    if (child.default !== undefined && !Object.hasOwn(fields, name)) fields[name] = cloneJson(child.default);
    if (Object.hasOwn(fields, name)) applyDefaults(child, fields[name]);
  }
  if (typeof schema.additionalProperties === "object") applyToAdditional(schema, schema.additionalProperties, fields);
}

function applyToAdditional(schema: JsonSchema, additional: JsonSchema, fields: Record<string, unknown>): void {
  for (const name of Object.keys(fields)) {
    if (schema.properties && Object.hasOwn(schema.properties, name)) continue;
    if (fields[name] === null && isNotNullable(additional)) {
      if (additional.default === undefined) delete fields[name];
      else fields[name] = cloneJson(additional.default);
    }
    applyDefaults(additional, fields[name]);
  }
}

function isNotNullable(schema: JsonSchema): boolean {
  return schema.nullable !== true && schema["x-kubernetes-preserve-unknown-fields"] !== true;
}
