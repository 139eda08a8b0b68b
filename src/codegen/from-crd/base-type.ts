import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { formatLiteral } from "../format-literal.ts";
import { intOrString, knownType } from "../types/known-types.ts";
import type { Rest, SeenType } from "./marker-lines.ts";

/** The declarations that a type may need. */
export interface TypeNames {
  /** Imports a type of tsop. */
  use(name: string): string;
  /** Declares an interface, and returns its name. */
  nested(schema: JsonSchema, path: string): string;
  /** Returns the type of a list's elements or of a map's values. */
  element(schema: JsonSchema, path: string): string;
}

interface BaseType {
  readonly text: string;
  readonly seen: SeenType;
  readonly isEnum?: boolean;
  readonly markers?: readonly string[];
}

/** The marker of a field whose schema has no type. */
export const schemaless = "kubebuilder:validation:Schemaless";

/** Chooses the TypeScript type of a schema, and removes the keywords that the type alone expresses. */
export function baseType(rest: Rest, path: string, types: TypeNames): BaseType {
  if (rest["x-kubernetes-int-or-string"]) return intOrStringType(rest, types);
  const { type } = rest;
  if (type === undefined) return openType(rest, path, types);
  // A server refuses other types in v1, not in v1beta1.
  if (!Object.hasOwn(writers, type)) return { text: types.use("JSONValue"), seen: undefined, markers: [schemaless] };
  delete rest.type;
  return { seen: type, ...writers[type](rest, path, types) };
}

type Written = Pick<BaseType, "text" | "isEnum">;

const writers: Readonly<
  Record<NonNullable<JsonSchema["type"]>, (rest: Rest, path: string, types: TypeNames) => Written>
> = {
  object: objectType,
  array: arrayType,
  string(rest, _path, types) {
    const union = enumType(rest, (value) => typeof value === "string");
    if (union) return union;
    // A branch of allOf would be joined with a named type.
    if (rest.format === "date-time" && !rest.allOf) return take(rest, "format", types.use("Time"));
    return rest.format === "byte" ? take(rest, "format", types.use("Bytes")) : { text: "string" };
  },
  integer(rest, _path, types) {
    const union = enumType(rest, Number.isInteger);
    if (union) return union;
    if (rest.format === "int32") return take(rest, "format", types.use("Int32"));
    return rest.format === "int64" ? take(rest, "format", types.use("Int64")) : { text: "number" };
  },
  number(rest, _path, types) {
    // Literals are integers, unless one of them has a fraction.
    const isFraction = rest.enum?.some((value) => !Number.isInteger(value)) && rest.format === undefined;
    const union = isFraction ? enumType(rest, (value) => typeof value === "number") : undefined;
    return union ?? { text: types.use("Float") };
  },
  boolean: (rest) => enumType(rest, (value) => typeof value === "boolean") ?? { text: "boolean" },
};

function objectType(rest: Rest, path: string, types: TypeNames): Written {
  const { properties, additionalProperties: values } = rest;
  if (properties && Object.keys(properties).length > 0) {
    const { default: fallback, example, ...schema } = rest;
    for (const key of Object.keys(rest)) delete rest[key as keyof JsonSchema];
    Object.assign(rest, fallback === undefined ? {} : { default: fallback }, example === undefined ? {} : { example });
    return { text: types.nested(schema, path) };
  }
  delete rest.properties;
  if (typeof values === "object") {
    delete rest.additionalProperties;
    return { text: `Record<string, ${types.element(values, `${path}Value`)}>` };
  }
  if (values === true) return { text: `Record<string, ${types.use("JSONValue")}>` };
  if (!rest["x-kubernetes-preserve-unknown-fields"] || rest.allOf) return { text: "{}" };
  delete rest["x-kubernetes-preserve-unknown-fields"];
  return rest["x-kubernetes-embedded-resource"]
    ? take(rest, "x-kubernetes-embedded-resource", types.use("EmbeddedObject"))
    : { text: types.use("RawExtension") };
}

function arrayType(rest: Rest, path: string, types: TypeNames): Written {
  const { items } = rest;
  delete rest.items;
  if (!items) return { text: `${types.use("JSONValue")}[]` };
  const element = types.element(items, `${path}Item`);
  return { text: /[ |]/.test(element) && !element.startsWith("Record<") ? `(${element})[]` : `${element}[]` };
}

function intOrStringType(rest: Rest, types: TypeNames): BaseType {
  const isPlain = rest.type === undefined && equalJson(rest.anyOf, intOrString.anyOf) && !rest.allOf;
  if (!isPlain) return { text: types.use("IntOrString"), seen: undefined, markers: [schemaless] };
  delete rest.anyOf;
  delete rest["x-kubernetes-int-or-string"];
  const isQuantity = rest.pattern === knownType("Quantity")?.schema.pattern;
  const { text } = isQuantity ? take(rest, "pattern", types.use("Quantity")) : { text: types.use("IntOrString") };
  return { text, seen: "int-or-string" };
}

/** A schema without a type: any value, or a schema of v1beta1, which need not say one. */
function openType(rest: Rest, path: string, types: TypeNames): BaseType {
  const { properties, items } = rest;
  if (rest["x-kubernetes-preserve-unknown-fields"] && !properties && !rest.allOf) {
    delete rest["x-kubernetes-preserve-unknown-fields"];
    return { text: types.use("JSONValue"), seen: undefined };
  }
  if (!properties && !items) return { text: types.use("JSONValue"), seen: undefined, markers: [schemaless] };
  rest.type = properties ? "object" : "array";
  return baseType(rest, path, types);
}

function take(rest: Rest, key: keyof JsonSchema, text: string): Written {
  delete rest[key];
  return { text };
}

function enumType(rest: Rest, fits: (value: unknown) => boolean): Written | undefined {
  const values = rest.enum;
  if (!values?.length || !values.every(fits)) return undefined;
  delete rest.enum;
  return { text: [...new Set(values)].map((value) => formatLiteral(value, 0, 0)).join(" | "), isEnum: true };
}
