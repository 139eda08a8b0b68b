import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";

/** A part of a schema for a part of a value. */
export interface ChildSchema {
  readonly child: JsonSchema;
  readonly at: string;
  readonly what: "object fields" | "array items";
}

/** Yields the parts of a schema, with their field paths as the server writes them. */
export function* childrenOf(schema: JsonSchema, path: string): Generator<ChildSchema> {
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield { child, at: `${path}.properties[${name}]`, what: "object fields" };
  if (typeof schema.additionalProperties === "object")
    yield { child: schema.additionalProperties, at: `${path}.additionalProperties`, what: "object fields" };
  // A server refuses items of another form.
  if (isObject(schema.items)) yield { child: schema.items, at: `${path}.items`, what: "array items" };
}
