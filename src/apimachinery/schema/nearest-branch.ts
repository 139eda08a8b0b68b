import type { JsonSchema } from "../json-schema.ts";

/** Returns the position of the branch that says something about most values inside of a value: the first one of these. */
export function nearestBranch(branches: readonly JsonSchema[], value: unknown): number {
  const counts = branches.map((branch) => countCompared(branch, value));
  return counts.indexOf(Math.max(...counts));
}

function countCompared(schema: JsonSchema, value: unknown): number {
  const below = (schema.allOf ?? []).reduce((sum, branch) => sum + countCompared(branch, value), 1);
  if (typeof value !== "object" || value === null) return below;
  const { items, properties = {}, additionalProperties } = schema;
  return Object.entries(value).reduce((sum, [name, member]) => {
    const child = Array.isArray(value)
      ? items
      : Object.hasOwn(properties, name)
        ? properties[name]
        : additionalProperties;
    return typeof child === "object" ? sum + countCompared(child, member) : sum;
  }, below);
}
