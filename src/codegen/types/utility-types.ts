import type { TSType, TSTypeReference } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { commonPart, variantsOf, type Draft } from "./schema-draft.ts";
import { literalsIn } from "./join-branches.ts";
import { unionOfObjects } from "./union-types.ts";
import { literalsOf } from "./literal-types.ts";
import { namesOf, placeOf, type Scope } from "./scope.ts";
import { arrayOf, enumSchema } from "./simple-types.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates TypeScript's built-in generic types; returns `undefined` for other names. */
export function utilityType(node: TSTypeReference, scope: Scope, types: TypeEvaluator): Draft | undefined {
  const name = namesOf(node.typeName).join(".");
  const [first, second] = node.typeArguments?.params ?? [];
  const advice = globalTypes.get(name);
  const texts = advice && first ? literalsOf(node, scope, types) : undefined;
  if (texts) return enumSchema(texts, node, scope, types);
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
    case "Extract":
      return second ? filter({ node, from: first, keys: second, keep: name === "Extract" }, scope, types) : undefined;
    default:
      return undefined;
  }
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
  if (keys.type === "TSNeverKeyword") return { type: "object" };
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
  const whole = flat(node, scope, types);
  if (!whole.properties)
    return types.unsupported(node, scope, `${name} of a type without properties`, "write the type explicitly");
  const change = ({ properties = {} }: JsonSchema): JsonSchema =>
    name === "Partial"
      ? { type: "object", properties }
      : { type: "object", properties, required: Object.keys(properties).sort() };
  const branches = variantsOf(whole);
  return branches ? unionOfObjects(branches.map(change), node, { scope, types }) : change(whole);
}

interface Selection {
  readonly node: TSTypeReference;
  readonly from: TSType;
  readonly keys: TSType;
  readonly keep: boolean;
}

/** Selects literals, or the branches of a union of objects. */
function filter({ node, from, keys, keep }: Selection, scope: Scope, types: TypeEvaluator): Draft {
  const values = literalsOf(node, scope, types);
  if (values) return enumSchema(values, node, scope, types);
  if (literalsOf(from, scope, types))
    return types.unsupported(
      node,
      scope,
      `${keep ? "Extract" : "Exclude"} without literals`,
      "write the type explicitly",
    );
  const whole = flat(from, scope, types);
  const wanted = flat(keys, scope, types);
  const patterns = variantsOf(wanted) ?? [wanted];
  const branches = (variantsOf(whole) ?? [whole]).filter(
    (branch) => patterns.some((pattern) => isAssignable(branch, pattern)) === keep,
  );
  if (branches.length > 0) return unionOfObjects(branches, node, { scope, types });
  return types.unsupported(node, scope, "a type without values", "name a branch of the union");
}

/** Reports whether an object has the properties of another one, with no other literals. */
function isAssignable(branch: JsonSchema, { properties = {}, required = [] }: JsonSchema): boolean {
  return Object.entries(properties).every(([name, wanted]) => {
    const own = branch.properties?.[name];
    if (!own) return !required.includes(name);
    if (required.includes(name) && !branch.required?.includes(name)) return false;
    const values = literalsIn(wanted);
    return own.type === wanted.type && (!values || literalsIn(own)?.every((value) => values.includes(value)) === true);
  });
}

/** Selects properties with their documentation and markers, but without the markers of the whole type. */
function select({ node, from, keys, keep }: Selection, scope: Scope, types: TypeEvaluator): Draft {
  const { properties = {}, required = [] } = commonPart(flat(from, scope, types));
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
