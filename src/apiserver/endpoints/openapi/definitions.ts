import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { openApiTexts } from "../../registry/builtin-rows.ts";
import type { ServedResource } from "../../registry/served-resource.ts";

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

/** Returns the key of a metav1 type. */
export function metaName(type: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
}

/** Returns a reference to a definition. */
export function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Maps each value of a record. */
export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** Types whose JSON differs from their Go fields. */
const wireTypes: Readonly<Record<string, JsonSchema>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": {
    description: "Quantity is a number with a suffix, such as 500m or 1Gi.",
    oneOf: [{ type: "string" }, { type: "number" }],
  },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
    description: "IntOrString is a number or a text.",
    format: "int-or-string",
    oneOf: [{ type: "integer" }, { type: "string" }],
  },
  "io.k8s.apimachinery.pkg.runtime.RawExtension": { type: "object" },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": {},
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": {},
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": {},
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": {},
};

/** Returns the definition of a built-in type, with merge keys and enums; types that it has are references. */
export function builtinDefinition(type: string, builtins: Builtins): JsonSchema {
  if (type === metaName("ObjectMeta")) return openApiTexts(builtins).objectMeta;
  const known = wireTypes[type];
  if (known) return known;
  const { properties, required, ...source } = builtins.type(type) ?? {};
  const kinds = kindsOfTypes(builtins).get(type);
  // An embedded type has no definition of its own: its fields become the type's.
  const embedded = (source.allOf ?? []).map(({ $ref = "" }) => builtinDefinition($ref, builtins));
  delete source.allOf;
  const own = mapValues(properties ?? {}, (one) => convertSchema(one, builtins));
  const all = Object.assign({}, ...embedded.map((part) => part.properties), own) as Record<string, JsonSchema>;
  const names = [...embedded.flatMap((part) => part.required ?? []), ...(required ?? [])];
  return {
    ...convertSchema(source, builtins),
    ...(Object.keys(all).length > 0 && {
      properties: mapValues(all, (one, name) => annotate(one, `${type}.${name}`, builtins)),
    }),
    ...(names.length > 0 && { required: names }),
    ...(kinds && { "x-kubernetes-group-version-kind": kinds }),
  };
}

/** Adds what the server knows about the field at `type.field`: its values, and how strategic merge patches change it. */
function annotate(schema: JsonSchema, place: string, builtins: Builtins): JsonSchema {
  const { lists, enums } = builtins;
  const annotated = { ...schema };
  const [strategy, mergeKey] = lists[place] ?? [];
  if (strategy !== undefined) annotated["x-kubernetes-patch-strategy"] = strategy;
  if (mergeKey) annotated["x-kubernetes-patch-merge-key"] = mergeKey;
  const values = enums[place];
  if (!values) return annotated;
  const { items, additionalProperties } = schema;
  if (items) annotated.items = { ...items, enum: [...values] };
  else if (typeof additionalProperties === "object")
    annotated.additionalProperties = { ...additionalProperties, enum: [...values] };
  else annotated.enum = [...values];
  const meanings = openApiTexts(builtins).enums[place];
  if (meanings) annotated.description = (schema.description ?? "") + meanings;
  return annotated;
}

function convertSchema(schema: JsonSchema, builtins: Builtins): JsonSchema {
  // Limits that tags declare are in no document.
  const { $ref, description, items, additionalProperties, maxItems: _limit, ...rest } = schema;
  const named = ($ref === undefined ? undefined : builtins.type($ref)) ?? {};
  // Names for texts, numbers and maps, such as UID and ResourceList, have no definition; most declare a type where they
  // are used.
  const isInline = rest.type !== undefined || (named.type === "string" && named.format === undefined);
  const { description: _, ...own } =
    $ref !== undefined && isInline ? convertSchema(named, builtins) : ({} as JsonSchema);
  return alone({
    ...(description !== undefined && { description: joinLines(description) }),
    ...own,
    ...($ref !== undefined && !isInline && { allOf: [referenceTo($ref)] }),
    ...(items && { items: convertSchema(items, builtins) }),
    ...(typeof additionalProperties === "boolean" && { additionalProperties }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: convertSchema(additionalProperties, builtins),
    }),
    ...rest,
  });
}

/** Writes a reference without siblings as such. */
function alone(schema: JsonSchema): JsonSchema {
  const [only] = schema.allOf ?? [];
  return only && Object.keys(schema).length === 1 ? only : schema;
}

/** Joins the lines of a Go comment like OpenAPI, which keeps paragraphs and indented lines. */
function joinLines(description: string): string {
  return description.replaceAll(/^(\S.*)\n(?=\S)/gm, "$1 ");
}

type KindsOfTypes = ReadonlyMap<string, GroupVersionKind[]>;

const kinds = new WeakMap<Builtins, KindsOfTypes>();

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** Returns the kind of each type that is one: of resources, their lists, and what subresources take. */
function kindsOfTypes(builtins: Builtins): KindsOfTypes {
  const known = kinds.get(builtins);
  if (known) return known;
  const found = builtins.resources.flatMap(({ group, version, kind, verbs, subresources }) => [
    { group, version, kind },
    ...(verbs.includes("list") ? [{ group, version, kind: `${kind}List` }] : []),
    ...subresources
      .filter(({ kind }) => !kind.endsWith("Options"))
      .map((sub) => ({ group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind })),
  ]);
  const own = ["Status", "DeleteOptions", "WatchEvent"].map((kind) => ({ group: "", version: "v1", kind }));
  const all = new Map([
    ...found.map((each): [string, GroupVersionKind[]] => [definitionName(each), [each]]),
    ...own.map((each): [string, GroupVersionKind[]] => [metaName(each.kind), [each]]),
  ]);
  kinds.set(builtins, all);
  return all;
}
