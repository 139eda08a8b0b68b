import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** Receives a schema with the names of the properties that lead to it, and may skip what is inside. */
type Visit = (node: JsonSchema, names: readonly string[]) => "skip" | undefined | void;

/** Visits each type once, even if it is used in several places. */
export function walkSchema(root: JsonSchema, visit: Visit): void {
  const seen = new Set<JsonSchema>();
  walk(root, []);

  function walk(schema: JsonSchema, names: readonly string[]): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (visit(schema, names) === "skip") return;
    const { properties, items, additionalProperties } = schema;
    for (const [name, child] of Object.entries(properties ?? {})) walk(child, [...names, name]);
    if (items) walk(items, names);
    if (typeof additionalProperties === "object") walk(additionalProperties, names);
  }
}
