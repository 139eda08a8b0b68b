import { equalJson } from "../equal.ts";
import { intOrStringBranches, type JsonSchema } from "../json-schema.ts";
import { objectFields } from "./crd-types.ts";

/**
 * Returns a schema in the one form of all schemas that validate the same: without texts, without keywords that have no
 * effect, and with lists whose order means nothing sorted.
 */
function normalizeSchema(schema: JsonSchema): JsonSchema {
  return sortKeys(normalize(schema)) as JsonSchema;
}

/** As `normalizeSchema`, for the schema of a whole object: a server checks the fields of every object itself. */
export function normalizeRoot(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], ...rest } = schema;
  const own = Object.entries(properties).filter(([name]) => name !== "apiVersion" && name !== "kind");
  const metadata: JsonSchema = properties["metadata"] ?? { type: "object" };
  return normalizeSchema({
    ...rest,
    properties: { ...Object.fromEntries(own), metadata },
    required: required.filter((name) => !objectFields.has(name)),
  });
}

const texts: ReadonlySet<string> = new Set(["description", "title", "example", "externalDocs"]);

function normalize(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (texts.has(key) || isIdle(key, value) || isImplied(key, schema)) return [];
    return [[key, normalizeKeyword(key, value)]];
  });
  return Object.fromEntries(entries);
}

/** Reports whether a keyword says the same as its absence. */
function isIdle(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return key !== "default";
  if (key === "x-kubernetes-map-type") return value === "granular";
  if (key === "x-kubernetes-list-type") return value === "atomic";
  const isCollection = key === "properties" || key === "required" || key === "x-kubernetes-validations";
  return isCollection && Object.keys(value).length === 0;
}

function isImplied(key: string, schema: JsonSchema): boolean {
  return (
    key === "anyOf" && schema["x-kubernetes-int-or-string"] === true && equalJson(schema.anyOf, intOrStringBranches)
  );
}

function normalizeKeyword(key: string, value: unknown): unknown {
  if (key === "items" || key === "not") return normalize(value as JsonSchema);
  if (key === "additionalProperties") return typeof value === "object" ? normalize(value as JsonSchema) : value;
  if (key === "properties") {
    const properties = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(properties.map(([name, property]) => [name, normalize(property)]));
  }
  if (key === "allOf" || key === "anyOf" || key === "oneOf") return (value as JsonSchema[]).map(normalize);
  if (key === "required" || key === "enum") return [...new Set(value as unknown[])].sort();
  if (key === "x-kubernetes-validations") return (value as object[]).map(withoutIdle).sort(byText);
  return value;
}

function withoutIdle(rule: object): object {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== "" && value !== false));
}

function byText(a: object, b: object): number {
  return JSON.stringify(sortKeys(a)) < JSON.stringify(sortKeys(b)) ? -1 : 1;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}
