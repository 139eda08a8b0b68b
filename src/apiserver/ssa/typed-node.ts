import { cutField } from "../../apimachinery/field-error.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { builtinSchema } from "../../apimachinery/builtin/builtin-schema.ts";
import { ownField } from "../../apimachinery/set-field.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { goJson } from "../../apimachinery/go-text.ts";

/** The way a value is owned: as a whole, field by field, or item by item. */
export type TypedNode =
  | { readonly kind: "scalar"; readonly type: "string" | "numeric" | "boolean" | "any" }
  | { readonly kind: "map"; readonly atomic: boolean; readonly type: MapType }
  | {
      readonly kind: "list";
      readonly join: "atomic" | "set" | "map";
      readonly keys: readonly ListKey[];
      readonly items: Typed;
    };

interface MapType {
  /** Returns a declared field, which is owned through the fields below it. */
  field(name: string): Typed | undefined;
  /** The type of all other members; `undefined` if there may be none. */
  readonly others: Typed | undefined;
}

export interface ListKey {
  readonly name: string;
  /** The name in JSON, with the colon. */
  readonly prefix: string;
  /** The value of a key that an item leaves out. */
  readonly default?: unknown;
}

/** A schema with the openness that it inherits: below a field that keeps unknown fields, all fields do. */
export interface Typed {
  readonly schema: JsonSchema | undefined;
  readonly open: boolean;
  /** The node that the schema determines; `undefined` if it depends on the value. */
  readonly node: TypedNode | undefined;
  /** The nodes of maps and lists where the schema names no type, and yet their fields or items. */
  readonly map?: TypedNode | undefined;
  readonly list?: TypedNode | undefined;
}

const typedSchemas = { closed: new WeakMap<JsonSchema, Typed>(), open: new WeakMap<JsonSchema, Typed>() };

function typedOf(schema: JsonSchema, open: boolean): Typed {
  const known = typedSchemas[open ? "open" : "closed"];
  let typed = known.get(schema);
  if (!typed) {
    const node = nodeOfSchema(schema, open);
    const { map, list } = node ? {} : partsOf(schema, open);
    // Of one shape: an apply looks at each value of an object by these.
    known.set(schema, (typed = { schema, open, node, map, list }));
  }
  return typed;
}

function partsOf(schema: JsonSchema, open: boolean): { map?: TypedNode; list?: TypedNode } {
  const stillOpen = open || schema["x-kubernetes-preserve-unknown-fields"] === true;
  return {
    ...(schema.properties && { map: mapNode(schema, stillOpen) }),
    ...(schema.items && { list: listNode(schema, stillOpen) }),
  };
}

/** The type of values without a schema: maps are owned by field, lists and scalars as a whole. */
export const untyped: Typed = { schema: undefined, open: true, node: undefined, map: undefined, list: undefined };

/** Returns the type of whole objects: the schema of their kind, with the metadata that it leaves to the server. */
export function typedObject(schema: JsonSchema | undefined): Typed {
  if (!schema) return untyped;
  const known = typedObjects.get(schema);
  if (known) return known;
  const made = typedOf({ ...schema, properties: { ...schema.properties, ...envelope() } }, false);
  typedObjects.set(schema, made);
  return made;
}

const typedObjects = new WeakMap<JsonSchema, Typed>();
/** Returns the fields of all objects, embedded ones included. */
function envelope(): Readonly<Record<string, JsonSchema>> {
  const metadata = builtinSchema("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  return { apiVersion: { type: "string" }, kind: { type: "string" }, metadata };
}

/** Returns the node of a value, by its schema or by the value itself. */
export function typedNode(typed: Typed, value: unknown): TypedNode {
  return typed.node ?? nodeOfValue(typed, value);
}

function nodeOfSchema(schema: JsonSchema, open: boolean): TypedNode | undefined {
  const stillOpen = open || schema["x-kubernetes-preserve-unknown-fields"] === true;
  switch (schema.type) {
    case "object":
      return mapNode(schema, stillOpen);
    case "array":
      return listNode(schema, stillOpen);
    case "string":
      // A string with a format may be any scalar, except for bytes.
      return { kind: "scalar", type: schema.format && schema.format !== "byte" ? "any" : "string" };
    case "integer":
    case "number":
      return { kind: "scalar", type: "numeric" };
    case "boolean":
      return { kind: "scalar", type: "boolean" };
    // Of an int-or-string, too, a real server takes any value here, and its validation finds the errors.
    case undefined:
      return undefined;
  }
  return undefined;
}

const untypedList: TypedNode = { kind: "list", join: "atomic", keys: [], items: untyped };
const untypedMap: TypedNode = { kind: "map", atomic: false, type: { field: () => undefined, others: untyped } };
const untypedScalar: TypedNode = { kind: "scalar", type: "any" };

function nodeOfValue({ map, list }: Typed, value: unknown): TypedNode {
  if (Array.isArray(value)) return list ?? untypedList;
  return typeof value === "object" && value !== null ? (map ?? untypedMap) : untypedScalar;
}

function mapNode(schema: JsonSchema, open: boolean): TypedNode {
  const { additionalProperties } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const properties = isEmbedded ? { ...schema.properties, ...envelope() } : schema.properties;
  const closed = properties !== undefined && !open;
  const member = typeof additionalProperties === "object" ? typedOf(additionalProperties, open) : untyped;
  const fields = new Map<string, Typed>();
  return {
    kind: "map",
    atomic: schema["x-kubernetes-map-type"] === "atomic",
    type: {
      field(name) {
        if (!properties || !Object.hasOwn(properties, name)) return undefined;
        let field = fields.get(name);
        // The fields of an embedded object's metadata are known, whether or not its other fields are.
        if (!field)
          fields.set(name, (field = typedOf(properties[name]!, open && !(isEmbedded && name === "metadata"))));
        return field;
      },
      others: closed && additionalProperties === undefined ? undefined : member,
    },
  };
}

function listNode(schema: JsonSchema, open: boolean): TypedNode {
  const items = schema.items ? typedOf(schema.items, open) : untyped;
  const join = schema["x-kubernetes-list-type"] ?? "atomic";
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map((name): ListKey => {
    const otherwise = keyDefault(schema, name);
    return { name, prefix: `${goJson(name)}:`, ...(otherwise !== undefined && { default: otherwise }) };
  });
  return { kind: "list", join, keys: keys.sort((a, b) => (a.name < b.name ? -1 : 1)), items };
}

/**
 * Returns the default of a list key. Built-in types, which alone have merge keys, are Go structs: the default is the
 * zero of the type.
 */
function keyDefault(schema: JsonSchema, name: string): unknown {
  const field = schema.items?.properties?.[name];
  if (field?.default !== undefined || schema["x-kubernetes-patch-merge-key"] === undefined) return field?.default;
  return field?.type === "integer" ? 0 : "";
}

/** Returns the key of fieldsV1 for an item of a set or of a list with keys, or the reason why it lacks one. */
export function itemKey(
  item: unknown,
  join: "set" | "map",
  keys: readonly ListKey[],
): { key: string } | { problem: string } {
  if (join === "set") return typeof item === "object" ? keyless : { key: `v:${goJson(item)}` };
  if (!isObject(item)) return keyless;
  let members = "";
  for (const { name, prefix, default: otherwise } of keys) {
    const value = ownField(item, name) ?? otherwise;
    if (value !== undefined) members += `${members && ","}${prefix}${goJson(value)}`;
  }
  return members === "" ? keyless : { key: `k:{${members}}` };
}

const keyless = { problem: "an item of an associative list has no key, or another type than the list needs" };

/** Formats a path for people: `.spec.items[a="x"].v`, `.spec.tags[="x"]`. A long one is cut. */
export function formatPath(path: readonly string[]): string {
  return cutField(path.map(formatKey).join(""));
}

function formatKey(key: string): string {
  const text = key.slice(2);
  const cut = cutField(text);
  switch (cut === text ? key.charAt(0) : "f") {
    case "f":
      return `.${cut}`;
    case "k":
      return `[${Object.entries(JSON.parse(text) as object)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${text}]`;
    default:
      return `[${text}]`;
  }
}
