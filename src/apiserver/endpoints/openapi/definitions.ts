import type { ServedResource } from "../../registry/served-resource.ts";
import { loadBuiltins, type Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import { applyMergePatch } from "../../../apimachinery/patch/merge-patch.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { openApiTexts } from "../../registry/open-api-texts.ts";

type Named = Pick<ServedResource, "group" | "version" | "kind"> & { readonly custom?: unknown };

/** Returns the key of a kind under components.schemas: `io.k8s.api.apps.v1.Deployment`, or `com.example.v1.Widget`. */
export function definitionName(resource: Named, kind: string = resource.kind): string {
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

/** Returns the names of the definitions to which a value refers. */
export function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === "$ref" && typeof part === "string") yield part.slice(part.lastIndexOf("/") + 1);
    else yield* referencesIn(part);
  }
}

/** Returns the definition of a built-in type, with defaults, merge keys and enums; types that it has are references. */
export function builtinDefinition(type: string): JsonSchema {
  const { meta, types } = openApiTexts();
  return meta[type] ?? (applyMergePatch(derivedDefinition(type), types[type] ?? {}) as JsonSchema);
}

/** Returns the definition that the Go types give, to which the recorder compares the real one. */
function derivedDefinition(type: string): JsonSchema {
  return definition(type, loadBuiltins());
}

/** Returns the definition of a type. Embedded types have none of their own: their fields become the type's. */
function definition(type: string, builtins: Builtins): JsonSchema {
  const { allOf = [], properties = {}, ...source } = builtins.type(type) ?? {};
  const embedded = allOf.map(({ $ref = "" }) => definition($ref, builtins));
  const own = mapValues(properties, (property) => convertSchema(property, builtins));
  const all = Object.assign({}, ...embedded.map((part) => part.properties), own) as Record<string, JsonSchema>;
  const annotatedFields = mapValues(all, (property, name) => annotate(property, `${type}.${name}`, builtins));
  const required = [...embedded, source].flatMap((part) => part.required ?? []);
  return {
    ...convertSchema(source, builtins),
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

function convertSchema(schema: JsonSchema, builtins: Builtins): JsonSchema {
  const { $ref, description, items, additionalProperties, ...rest } = schema;
  const result: JsonSchema = description === undefined ? {} : { description: joinLines(description) };
  // Names for strings, numbers and maps, such as UID and ResourceList, have no definition on the wire; such a reference
  // has a type beside it.
  if ($ref !== undefined && schema.type === undefined) {
    result.allOf = [{ $ref: definitionReference($ref) }];
  } else if ($ref !== undefined) {
    const { description: _, ...named } = convertSchema(builtins.type($ref) ?? {}, builtins);
    Object.assign(result, named);
  }
  if (items) result.items = convertSchema(items, builtins);
  if (typeof additionalProperties === "object") {
    result.additionalProperties = convertSchema(additionalProperties, builtins);
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
