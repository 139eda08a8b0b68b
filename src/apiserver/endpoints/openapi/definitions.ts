import type { ServedResource } from "../../registry/served-resource.ts";
import { loadBuiltins, type Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { openApiTexts } from "../../registry/open-api-texts.ts";

/** Returns the key of a kind under components.schemas: `io.k8s.api.apps.v1.Deployment`, or `com.example.v1.Widget`. */
export function definitionName(resource: ServedResource, kind: string = resource.kind): string {
  const { group, version, custom } = resource;
  if (custom) return [...group.split(".").reverse(), version, kind].join(".");
  if (group === "apiextensions.k8s.io")
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
  if (group === "apiregistration.k8s.io") return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${kind}`;
  return `io.k8s.api.${group === "" ? "core" : group.split(".")[0]}.${version}.${kind}`;
}

/** Returns a `$ref` to a definition. */
export function definitionReference(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Returns the definitions of built-in types and of all types that they refer to, with merge keys and enums. References
 * are kept: a Pod is part of five kinds of the core group, and `kubectl explain` names the types on its path.
 */
export function builtinDefinitions(types: readonly string[]): Record<string, JsonSchema> {
  const builtins = loadBuiltins();
  const definitions: Record<string, JsonSchema> = {};
  const { meta } = openApiTexts();
  const open = [...types];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type in definitions || type in meta) continue;
    definitions[type] = definition(type, builtins, (referenced) => open.push(referenced));
  }
  return definitions;
}

type Visit = (type: string) => void;

/** Returns the definition of a type. Embedded types have none of their own: their fields become the type's. */
function definition(type: string, builtins: Builtins, visit: Visit): JsonSchema {
  const { allOf = [], properties = {}, ...source } = builtins.type(type) ?? {};
  const embedded = allOf.map(({ $ref = "" }) => definition($ref, builtins, visit));
  const own = mapValues(properties, (property) => convertSchema(property, builtins, visit));
  const all = Object.assign({}, ...embedded.map((part) => part.properties), own) as Record<string, JsonSchema>;
  const annotatedFields = mapValues(all, (property, name) => annotate(property, `${type}.${name}`, builtins));
  const required = [...embedded, source].flatMap((part) => part.required ?? []);
  return {
    ...convertSchema(source, builtins, visit),
    ...(Object.keys(all).length > 0 ? { properties: annotatedFields } : {}),
    ...(required.length > 0 ? { required: required.toSorted() } : {}),
  };
}

/** Maps each value of a record. */
export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

function convertSchema(schema: JsonSchema, builtins: Builtins, visit: Visit): JsonSchema {
  const { $ref, description, items, additionalProperties, ...rest } = schema;
  const result: JsonSchema = description === undefined ? {} : { description: joinLines(description) };
  // Names for strings, numbers and maps, such as UID and ResourceList, have no definition on the wire; such a reference
  // has a type beside it.
  if ($ref !== undefined && schema.type === undefined) {
    visit($ref);
    result.allOf = [{ $ref: definitionReference($ref) }];
  } else if ($ref !== undefined) {
    const { description: _, ...named } = convertSchema(builtins.type($ref) ?? {}, builtins, visit);
    Object.assign(result, named);
  }
  if (items) result.items = convertSchema(items, builtins, visit);
  if (typeof additionalProperties === "object") {
    result.additionalProperties = convertSchema(additionalProperties, builtins, visit);
  } else if (additionalProperties !== undefined) result.additionalProperties = additionalProperties;
  return Object.assign(result, rest);
}

/** Joins the lines of a Go comment like OpenAPI, which keeps paragraphs and indented lines. */
function joinLines(description: string): string {
  return description.replaceAll(/^(\S.*)\n(?=\S)/gm, "$1 ");
}

function annotate(schema: JsonSchema, place: string, { lists, enums }: Builtins): JsonSchema {
  const [strategy, mergeKey] = lists[place] ?? [];
  return {
    ...withEnum(schema, place, enums[place]),
    ...(strategy === undefined ? {} : { "x-kubernetes-patch-strategy": strategy }),
    ...(mergeKey ? { "x-kubernetes-patch-merge-key": mergeKey } : {}),
  };
}

function withEnum(schema: JsonSchema, place: string, values: readonly string[] | undefined): JsonSchema {
  if (!values) return schema;
  if (schema.items) return { ...schema, items: { ...schema.items, enum: [...values] } };
  const meanings = openApiTexts().enums[place];
  const description = meanings ? { description: `${schema.description ?? ""}${meanings}` } : {};
  return { ...schema, ...description, enum: [...values] };
}
