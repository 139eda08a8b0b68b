import type { TSIntersectionType, TSType, TSTypeReference } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Draft } from "./schema-draft.ts";
import { literalsOf } from "./literal-types.ts";
import { merge, type Conflict } from "./merge.ts";
import { namesOf, placeOf, type Scope } from "./scope.ts";
import { arrayOf, enumSchema } from "./simple-types.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates TypeScript's built-in generic types; returns `undefined` for other names. */
export function utilityType(node: TSTypeReference, scope: Scope, types: TypeEvaluator): Draft | undefined {
  const name = namesOf(node.typeName).join(".");
  const [first, second] = node.typeArguments?.params ?? [];
  const advice = globalTypes.get(name);
  if (advice) return types.unsupported(node, scope, name, advice);
  if (!first) return undefined;
  switch (name) {
    case "Array":
    case "ReadonlyArray":
      return arrayOf(types.schemaOf(first, scope));
    case "Readonly":
      return types.schemaOf(first, scope);
    case "NonNullable":
      return nonNullable(first, scope, types);
    case "Record":
      return second ? record(first, second, scope, types) : undefined;
    case "Partial":
    case "Required":
      return withPresence(first, scope, types, name);
    case "Pick":
    case "Omit":
      return second ? select({ node, from: first, keys: second, keep: name === "Pick" }, scope, types) : undefined;
    case "Exclude":
    case "Extract": {
      const values = literalsOf(node, scope, types);
      return values
        ? enumSchema(values, node, scope, types)
        : types.unsupported(node, scope, `${name} without literals`, "write the type explicitly");
    }
    default:
      return undefined;
  }
}

/** Evaluates `A & B`: the restrictions of both apply. */
export function intersectionSchema(node: TSIntersectionType, scope: Scope, types: TypeEvaluator): Draft {
  const [first, ...others] = node.types
    .map((part) => types.flatten(types.schemaOf(part, scope), part, scope))
    .filter((schema) => !isBrand(schema));
  if (!first) return { type: "object" };
  const { description: _description, ...start } = first;
  const conflict: Conflict = (key, kept, refused) =>
    types.report.error(placeOf(node, scope), "TSOP_TYPE_CONFLICT", {
      path: scope.path,
      reason: `${key} cannot be both ${String(kept)} and ${String(refused)}`,
      advice: "declare it in only one of the combined types",
    });
  return others.reduce<JsonSchema>((joined, other) => merge(joined, other, conflict), start);
}

/** Reports whether a schema is `{ readonly [tag]: … }`, which exists only for the compiler. */
function isBrand(schema: JsonSchema): boolean {
  return schema.type === "object" && Object.keys(schema).length === 1;
}

const globalTypes = new Map([
  ["String", "write string"],
  ["Number", "write number, or Int32, Int64 or Float from tsop"],
  ["Boolean", "write boolean"],
  ["Object", "use JSONValue or RawExtension from tsop"],
  ["Date", "use Time from tsop"],
  ["URL", "use string with +kubebuilder:validation:Format=uri"],
  ["RegExp", "use string"],
  ["Map", "use Record<string, T>"],
  ["ReadonlyMap", "use Record<string, T>"],
  ["Set", "use T[] with +listType=set"],
  ["ReadonlySet", "use T[] with +listType=set"],
  ["Uint8Array", "use Bytes from tsop"],
  ["Buffer", "use Bytes from tsop"],
  ["Function", "remove it: API types are plain data"],
  ["Promise", "remove it: API types are plain data"],
  ["ReturnType", "write the type explicitly"],
  ["Parameters", "write the type explicitly"],
  ["Awaited", "write the type explicitly"],
  ["Lowercase", "write the values explicitly"],
  ["Uppercase", "write the values explicitly"],
  ["Capitalize", "write the values explicitly"],
  ["Uncapitalize", "write the values explicitly"],
]);

function flat(node: TSType, scope: Scope, types: TypeEvaluator): JsonSchema {
  return types.flatten(types.schemaOf(node, scope), node, scope);
}

function nonNullable(node: TSType, scope: Scope, types: TypeEvaluator): Draft {
  const { nullable: _nullable, ...schema } = flat(node, scope, types);
  return schema;
}

function record(keys: TSType, values: TSType, scope: Scope, types: TypeEvaluator): Draft {
  const names = literalsOf(keys, scope, types);
  if (names) {
    const properties = names.map(
      (name) => [String(name), types.schemaOf(values, { ...scope, path: `${scope.path}.${name}` })] as const,
    );
    return { type: "object", properties: Object.fromEntries(properties), required: names.map(String).sort() };
  }
  if (values.type === "TSUnknownKeyword" || values.type === "TSAnyKeyword") {
    return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  }
  if (values.type === "TSNeverKeyword") {
    return types.unsupported(values, scope, "a map without a value type", "use an interface without properties");
  }
  if (keys.type === "TSTemplateLiteralType") {
    const advice =
      "use Record<string, T> with +kubebuilder:validation:XValidation:rule=\"self.all(key, key.startsWith('app.'))\"";
    return types.unsupported(keys, scope, "a map whose keys have a pattern", advice);
  }
  const key = flat(keys, scope, types);
  if (key.type !== "string")
    return types.unsupported(keys, scope, "a map whose keys are not strings", "use Record<string, T>");
  return { type: "object", additionalProperties: types.schemaOf(values, { ...scope, path: `${scope.path}[key]` }) };
}

function withPresence(node: TSType, scope: Scope, types: TypeEvaluator, name: "Partial" | "Required"): Draft {
  const { properties } = flat(node, scope, types);
  if (!properties)
    return types.unsupported(node, scope, `${name} of a type without properties`, "write the type explicitly");
  return name === "Partial"
    ? { type: "object", properties }
    : { type: "object", properties, required: Object.keys(properties).sort() };
}

interface Selection {
  readonly node: TSTypeReference;
  readonly from: TSType;
  readonly keys: TSType;
  readonly keep: boolean;
}

/** Selects properties with their documentation and markers, but without the markers of the whole type. */
function select({ node, from, keys, keep }: Selection, scope: Scope, types: TypeEvaluator): Draft {
  const { properties = {}, required = [] } = flat(from, scope, types);
  const names = literalsOf(keys, scope, types)?.map(String);
  if (!names) return types.unsupported(keys, scope, "a selection without literal names", "name the properties");
  const unknown = keep ? names.find((name) => !(name in properties)) : undefined;
  if (unknown !== undefined) {
    types.report.error(placeOf(node, scope), "TSOP_TYPE_CONFLICT", {
      path: scope.path,
      reason: `Pick names ${unknown}, which is not a property`,
      advice: `the properties are ${Object.keys(properties).join(", ")}`,
    });
  }
  const kept = Object.entries(properties).filter(([name]) => names.includes(name) === keep);
  const draft: Draft = { type: "object" };
  if (kept.length > 0) draft.properties = Object.fromEntries(kept);
  const stillRequired = required.filter((name) => names.includes(name) === keep);
  if (stillRequired.length > 0) draft.required = stillRequired;
  return draft;
}
