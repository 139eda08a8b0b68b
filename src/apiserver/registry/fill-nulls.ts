import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";

/** Gives a null in a list the zero of its type, as a typed decoder does, in place: what comes after may rely on structs. */
export function fillNulls(schema: JsonSchema, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) value.forEach((item: unknown, index) => fillItem(items, value, { item, index }));
    return;
  }
  const { properties = {}, additionalProperties } = schema;
  for (const [name, field] of Object.entries(value)) {
    const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (typeof child === "object") fillNulls(child, field);
  }
}

function fillItem(schema: JsonSchema, list: unknown[], { item, index }: { item: unknown; index: number }): void {
  if (item === null) list[index] = zeroOf(schema);
  else fillNulls(schema, item);
}

/** What may be any JSON stays null. */
function zeroOf({ type, "x-kubernetes-preserve-unknown-fields": anything }: JsonSchema): unknown {
  if (type === undefined || anything) return null;
  if (type === "object") return {};
  return zeros[type] ?? null;
}

const zeros: Readonly<Record<string, unknown>> = { string: "", integer: 0, number: 0, boolean: false };
