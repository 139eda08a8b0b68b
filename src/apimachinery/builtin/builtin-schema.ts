import type { JsonSchema } from "../json-schema.ts";
import { mapSubschemas } from "../map-subschemas.ts";
import { loadBuiltins, type Builtins } from "./load-builtins.ts";
import { objectMetaSchema } from "./object-meta-schema.ts";

const schemas = new WeakMap<Builtins, Map<string, JsonSchema>>();
/** Types that are being resolved: their schemas are still empty. */
const unfinished = new Set<string>();

const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
const anything: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** Types for which the server knows more than the generators write. */
const serverTypes: Readonly<Record<string, JsonSchema>> = {
  "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": objectMetaSchema,
  // An apply takes any scalar for an amount, as for other texts with a format, and any value for an IntOrString.
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string", format: "quantity" },
  // Either a schema or something else, which the server decodes by itself.
  [`${apiextensions}.JSONSchemaPropsOrArray`]: anything,
  [`${apiextensions}.JSONSchemaPropsOrBool`]: anything,
  [`${apiextensions}.JSONSchemaPropsOrStringArray`]: anything,
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};

/**
 * Returns the complete schema of a built-in type for the API server: references resolved, with defaults, list types,
 * merge keys, enums and tags. A recursive type contains itself. The schemas share parts and must not be changed.
 */
export function builtinSchema(type: string, builtins: Builtins = loadBuiltins()): JsonSchema | undefined {
  return builtins.type(type) && resolveType(type, builtins);
}

function knownIn(builtins: Builtins): Map<string, JsonSchema> {
  let known = schemas.get(builtins);
  if (!known) schemas.set(builtins, (known = new Map()));
  return known;
}

function resolveType(type: string, builtins: Builtins): JsonSchema {
  const known = knownIn(builtins);
  const done = known.get(type);
  if (done) return done;
  const source = serverTypes[type] ?? builtins.type(type) ?? {};
  const schema: JsonSchema = {};
  known.set(type, schema);
  unfinished.add(type);
  Object.assign(schema, resolveSchema(source, builtins));
  for (const [field, property] of Object.entries(schema.properties ?? {}))
    schema.properties![field] = annotate(property, `${type}.${field}`, builtins);
  unfinished.delete(type);
  return schema;
}

/** Copies a node with references and allOf members merged into it; the node's own keywords win. */
function resolveSchema(source: JsonSchema, builtins: Builtins): JsonSchema {
  const { $ref, allOf = [], ...own } = source;
  if ($ref !== undefined && unfinished.has($ref)) return knownIn(builtins).get($ref)!;
  const parts = [
    ...($ref === undefined ? [] : [resolveType($ref, builtins)]),
    ...allOf.map((part) => fieldsOf(resolveSchema(part, builtins))),
  ];
  const resolved = mapSubschemas(source, (part) => resolveSchema(part, builtins));
  const merged: JsonSchema = Object.assign({}, ...parts, own, resolved) as JsonSchema;
  const ofAll = [...parts, resolved].map((part) => part.properties ?? {});
  const properties: Record<string, JsonSchema> = Object.assign({}, ...ofAll);
  if (Object.keys(properties).length > 0) merged.properties = properties;
  const required = new Set([...parts, source].flatMap((part) => part.required ?? []));
  if (required.size > 0) merged.required = [...required].toSorted();
  // An empty text counts as absent in a Go struct; only in a CRD it is a default.
  if (merged.default === "") delete merged.default;
  return merged;
}

/**
 * Leaves out the keywords that concern a type as a whole: a struct that embeds another has its fields, but is not one
 * value with it.
 */
function fieldsOf({ "x-kubernetes-map-type": _ofEmbedded, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function annotate(property: JsonSchema, place: string, builtins: Builtins): JsonSchema {
  const [list, values, tags] = [builtins.lists[place], builtins.enums[place], builtins.tags[place]];
  if (!list && !values && !tags) return property;
  const annotated = { ...property, ...(tags && { "x-kubernetes-tags": tags }) };
  if (list) {
    annotated["x-kubernetes-patch-strategy"] = list[0];
    if (list[1]) annotated["x-kubernetes-patch-merge-key"] = list[1];
  }
  if (!values) return annotated;
  if (property.type === "array" && property.items) annotated.items = { ...property.items, enum: [...values] };
  else annotated.enum = [...values];
  return annotated;
}
