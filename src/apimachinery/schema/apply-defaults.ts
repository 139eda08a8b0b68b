import { cloneJson } from "../clone.ts";
import type { JsonSchema } from "../json-schema.ts";
import { setField } from "../set-field.ts";

/** The most bytes that the defaults of an object may have together: as many as a request. */
export const mostDefaultBytes: number = 3 * 1024 * 1024;

/**
 * Sets defaults, in place. A null that the schema does not allow is removed first, so that the default applies. A
 * nested default applies only if its parent exists or has a default. With `keepNulls`, only nulls with a default are
 * removed. Returns false if the defaults have more than 3 MiB together: a short list can ask for any number of copies.
 * The rest of them is missing then.
 */
export function applyDefaults(schema: JsonSchema, value: unknown, keepNulls = false): boolean {
  const defaulting: Defaulting = { keepNulls, bytesLeft: mostDefaultBytes };
  applyTo(schema, value, defaulting);
  return defaulting.bytesLeft >= 0;
}

interface Defaulting {
  readonly keepNulls: boolean;
  /** Negative after a default that did not fit. */
  bytesLeft: number;
}

function applyTo(schema: JsonSchema, value: unknown, defaulting: Defaulting): void {
  if (typeof value !== "object" || value === null || defaulting.bytesLeft < 0) return;
  if (Array.isArray(value)) {
    for (const item of schema.items ? value : []) applyTo(schema.items!, item, defaulting);
    return;
  }
  const { keepNulls } = defaulting;
  const fields = value as Record<string, unknown>;
  const { properties = none, additionalProperties } = schema;
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(properties, name)) continue;
    const child = properties[name]!;
    if (fields[name] === null && child.nullable !== true && !(keepNulls && child.default === undefined))
      delete fields[name];
    else applyTo(child, fields[name], defaulting);
  }
  for (const [name, child] of propertiesWithDefault(schema)) {
    if (Object.hasOwn(fields, name) || !fits(name, child, defaulting)) continue;
    setField(fields, name, cloneJson(child.default));
    applyTo(child, fields[name], defaulting);
  }
  if (typeof additionalProperties === "object") applyToAdditional(schema, fields, { additionalProperties, defaulting });
}

/** Takes the bytes of a default from those that are left. */
function fits(name: string, schema: JsonSchema, defaulting: Defaulting): boolean {
  if (defaulting.bytesLeft >= 0) defaulting.bytesLeft -= sizeOfDefault(name, schema);
  return defaulting.bytesLeft >= 0;
}

const none: Readonly<Record<string, JsonSchema>> = {};

/** Returns the properties with a default: few of the dozens in a built-in kind. */
function propertiesWithDefault(schema: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  return remember(known, schema, () =>
    Object.entries(schema.properties ?? none).filter(([, child]) => child.default !== undefined),
  );
}

const known = new WeakMap<JsonSchema, readonly (readonly [name: string, schema: JsonSchema])[]>();

/** Returns the bytes that a default adds to an object. */
function sizeOfDefault(name: string, schema: JsonSchema): number {
  return name.length + remember(sizes, schema, () => Buffer.byteLength(JSON.stringify(schema.default)));
}

const sizes = new WeakMap<JsonSchema, number>();

function remember<Value>(values: WeakMap<JsonSchema, Value>, schema: JsonSchema, compute: () => Value): Value {
  let value = values.get(schema);
  if (value === undefined) values.set(schema, (value = compute()));
  return value;
}

function applyToAdditional(
  schema: JsonSchema,
  fields: Record<string, unknown>,
  { additionalProperties: additional, defaulting }: { additionalProperties: JsonSchema; defaulting: Defaulting },
): void {
  for (const name of Object.keys(fields)) {
    if (schema.properties && Object.hasOwn(schema.properties, name)) continue;
    if (fields[name] === null && additional.nullable !== true) {
      if (additional.default !== undefined) {
        if (fits(name, additional, defaulting)) setField(fields, name, cloneJson(additional.default));
      } else if (!defaulting.keepNulls) delete fields[name];
    }
    applyTo(additional, fields[name], defaulting);
  }
}
