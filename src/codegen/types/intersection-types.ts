import type { TSIntersectionType, TSSignature, TSType } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { applyBounds, boundName } from "./bound-types.ts";
import { literalsOf } from "./literal-types.ts";
import { merge, type Conflict } from "./merge.ts";
import { forbid, forbiddenIn, variantsOf, type Draft } from "./schema-draft.ts";
import { placeOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";
import { enumSchema } from "./simple-types.ts";
import { inheritName } from "./type-names.ts";
import { unionOfObjects } from "./union-types.ts";

/** Evaluates `A & B`: the restrictions of both apply, to each branch if one of them is a union. */
export function intersectionSchema(node: TSIntersectionType, scope: Scope, types: TypeEvaluator): Draft {
  const values = literalsOf(node, scope, types);
  if (values && values.length > 0) return enumSchema(values, node, scope, types);
  const bounds = node.types.filter((part) => boundName(part, scope, types) !== undefined);
  const parts = node.types.filter((part) => !bounds.includes(part));
  const [only] = parts;
  if (bounds.length === 0 || !only) return joinedParts(parts, node, { scope, types });
  const draft = parts.length === 1 ? types.schemaOf(only, scope) : joinedParts(parts, node, { scope, types });
  applyBounds(draft, bounds, scope, types);
  return draft;
}

function joinedParts(
  nodes: readonly TSType[],
  node: TSIntersectionType,
  { scope, types }: { scope: Scope; types: TypeEvaluator },
): Draft {
  const all = nodes
    .filter((part) => part.type !== "TSTypeLiteral" || part.members.length === 0 || !part.members.every(isTag))
    .map((part) => types.flatten(types.schemaOf(part, scope), part, scope))
    .filter((schema) => !isBrand(schema) || forbiddenIn(schema).length > 0);
  // Only a brand makes a text or a number an object.
  const values = all.filter(({ type }) => type !== "object");
  const parts = values.length > 0 ? values : all;
  const conflict: Conflict = (key, kept, refused) =>
    types.report.error(placeOf(node, scope), "TSOP_TYPE_CONFLICT", {
      path: scope.path,
      reason: `${key} cannot be both ${String(kept)} and ${String(refused)}`,
      advice: "declare it in only one of the combined types",
    });
  const lists = parts.map((part) => variantsOf(part) ?? [part]);
  if (lists.reduce((product, list) => product * list.length, 1) > mostCombinations) {
    const what = `an intersection of unions with more than ${mostCombinations} combinations`;
    return types.unsupported(node, scope, what, "give each union a property of its own");
  }
  const choices = combinations(lists).filter(isPossible);
  if (choices.length === 0)
    return types.unsupported(node, scope, "an intersection without values", "give the types a literal in common");
  const [only, ...others] = choices.map((choice) => joinParts(choice, conflict));
  if (!only || others.length === 0) return only ?? { type: "object" };
  const branches = [only, ...others].map((branch) => types.flatten(branch, node, scope));
  return unionOfObjects(branches, node, { scope, types });
}

/** No reader of a CustomResourceDefinition looks at more branches. */
const mostCombinations = 256;

/** Returns all ways to take one element of each list. */
function combinations(lists: readonly (readonly JsonSchema[])[]): JsonSchema[][] {
  return lists.reduce<JsonSchema[][]>(
    (chosen, list) => chosen.flatMap((before) => list.map((schema) => [...before, schema])),
    [[]],
  );
}

function joinParts([first, ...others]: readonly JsonSchema[], conflict: Conflict): Draft {
  if (!first) return { type: "object" };
  const { description: _description, ...start } = first;
  const joined: Draft = others.reduce<JsonSchema>((whole, part) => merge(whole, part, conflict), start);
  for (const [name, values] of commonLiterals([first, ...others])) {
    const property = joined.properties?.[name];
    if (property?.enum)
      joined.properties = { ...joined.properties, [name]: inheritName({ ...property, enum: values }, property) };
  }
  const names = [first, ...others].flatMap(forbiddenIn);
  return names.length > 0 ? without(joined, names) : joined;
}

/** Returns the literals that all parts allow, for the properties of which several parts have literals. */
function commonLiterals(parts: readonly JsonSchema[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[][]>();
  for (const { properties = {} } of parts) {
    for (const [name, schema] of Object.entries(properties))
      if (schema.enum) found.set(name, [...(found.get(name) ?? []), schema.enum]);
  }
  const several = [...found].filter(([, lists]) => lists.length > 1);
  return new Map(
    several.map(([name, [first = [], ...others]]) => [
      name,
      first.filter((value) => others.every((list) => list.includes(value))),
    ]),
  );
}

/** Reports whether a value can be of all parts: `{ type: "a" } & { type: "b" }` has none. */
function isPossible(parts: readonly JsonSchema[]): boolean {
  return [...commonLiterals(parts).values()].every((values) => values.length > 0);
}

function without({ properties = {}, required = [], ...rest }: JsonSchema, names: readonly string[]): Draft {
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name));
  const draft: Draft = { ...rest };
  if (kept.length > 0) draft.properties = Object.fromEntries(kept);
  const stillRequired = required.filter((name) => !names.includes(name));
  if (stillRequired.length > 0) draft.required = stillRequired;
  forbid(draft, names);
  return draft;
}

/** Reports whether a member exists only for the compiler: `__brand: "Port"`, `[tag]: true`. */
function isTag(member: TSSignature): boolean {
  if (member.type !== "TSPropertySignature") return false;
  return member.computed || (member.key.type === "Identifier" && member.key.name.startsWith("__"));
}

/** Reports whether a schema is `{ readonly [tag]: … }`, which exists only for the compiler. */
function isBrand(schema: JsonSchema): boolean {
  return schema.type === "object" && Object.keys(schema).length === 1;
}
