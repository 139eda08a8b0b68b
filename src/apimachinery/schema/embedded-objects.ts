import { isObject } from "../is-object.ts";
import { joinField } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";

/** An object inside an object, with a type and metadata of its own. */
export interface EmbeddedObject {
  readonly schema: JsonSchema;
  readonly fields: Record<string, unknown>;
  readonly path: string;
}

const known = new WeakMap<JsonSchema, boolean>();

/** Yields the embedded objects of a value, outer ones first. */
export function* embeddedObjects(schema: JsonSchema, value: unknown, path = ""): Generator<EmbeddedObject> {
  if (typeof value !== "object" || value === null || !mayEmbed(schema)) return;
  if (Array.isArray(value)) {
    if (schema.items)
      for (const [index, item] of value.entries()) yield* embeddedObjects(schema.items, item, `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  if (schema["x-kubernetes-embedded-resource"] === true) yield { schema, fields: value, path };
  const { properties = {}, additionalProperties } = schema;
  for (const [name, field] of Object.entries(value)) {
    const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (typeof child === "object") yield* embeddedObjects(child, field, joinField(path, name));
  }
}

/** Reports whether a schema has embedded objects, which few have. */
function mayEmbed(schema: JsonSchema): boolean {
  let answer = known.get(schema);
  if (answer === undefined) {
    const { properties = {}, additionalProperties, items } = schema;
    const children = [...Object.values(properties), additionalProperties, items];
    answer =
      schema["x-kubernetes-embedded-resource"] === true ||
      children.some((child) => typeof child === "object" && mayEmbed(child));
    known.set(schema, answer);
  }
  return answer;
}
