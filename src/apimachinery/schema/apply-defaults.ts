import { cloneJson } from "../clone.ts";
import type { JsonSchema } from "../json-schema.ts";
import { setField } from "../set-field.ts";

/**
 * Sets defaults, in place. A null that the schema does not allow is removed first, so that the default applies. A
 * nested default applies only if its parent exists or has a default. With `keepNulls`, only nulls with a default are
 * removed.
 */
export function applyDefaults(schema: JsonSchema, value: unknown, keepNulls = false): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of schema.items ? value : []) applyDefaults(schema.items!, item, keepNulls);
    return;
  }
  const fields = value as Record<string, unknown>;
  const { properties = none, additionalProperties } = schema;
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(properties, name)) continue;
    const child = properties[name]!;
    if (fields[name] === null && child.nullable !== true && !(keepNulls && child.default === undefined))
      delete fields[name];
    else applyDefaults(child, fields[name], keepNulls);
  }
  for (const [name, child] of propertiesWithDefault(schema)) {
    if (Object.hasOwn(fields, name)) continue;
    setField(fields, name, cloneJson(child.default));
    applyDefaults(child, fields[name], keepNulls);
  }
  if (typeof additionalProperties === "object") applyToAdditional(schema, fields, { additionalProperties, keepNulls });
}

const none: Readonly<Record<string, JsonSchema>> = {};

/** Returns the properties with a default: few of the dozens in a built-in kind. */
function propertiesWithDefault(schema: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  let found = known.get(schema);
  if (!found) {
    found = Object.entries(schema.properties ?? none).filter(([, child]) => child.default !== undefined);
    known.set(schema, found);
  }
  return found;
}

const known = new WeakMap<JsonSchema, readonly (readonly [name: string, schema: JsonSchema])[]>();

function applyToAdditional(
  schema: JsonSchema,
  fields: Record<string, unknown>,
  { additionalProperties: additional, keepNulls }: { additionalProperties: JsonSchema; keepNulls: boolean },
): void {
  for (const name of Object.keys(fields)) {
    if (schema.properties && Object.hasOwn(schema.properties, name)) continue;
    if (fields[name] === null && additional.nullable !== true) {
      if (additional.default !== undefined) setField(fields, name, cloneJson(additional.default));
      else if (!keepNulls) delete fields[name];
    }
    applyDefaults(additional, fields[name], keepNulls);
  }
}
