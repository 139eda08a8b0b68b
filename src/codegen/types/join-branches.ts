import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { LiteralValue } from "./literals.ts";
import { documentation, withoutTexts, type SchemaKey } from "./merge.ts";
import { inheritName } from "./type-names.ts";
import { isNameable } from "../markers/union-conditions.ts";

/** What the branches of a union say about one property, by their indices. */
export interface Fact {
  readonly path: readonly string[];
  /** The fields on the way to the property that may be absent. */
  readonly optionalParents: readonly (readonly string[])[];
  /** The branches that require the property; all others need not. */
  readonly required: readonly number[];
  /** The branches that may have it. */
  readonly allowed: readonly number[];
  /** The branches that may not have it, though they may have its parent. */
  readonly forbidden: readonly number[];
  /** The branches that limit its values. */
  readonly values: ReadonlyMap<number, readonly LiteralValue[]>;
}

/** Receives the reason for which branches have no common schema. */
export type Refuse = (path: readonly string[], reason: string, advice: string) => void;

/** The schema that allows all branches, and what it does not say about each. */
export interface Joined {
  readonly schema: JsonSchema;
  readonly facts: readonly Fact[];
}

/** Joins branches into one object, which has all their properties and requires those that every branch requires. */
export function joinBranches(branches: readonly JsonSchema[], refuse: Refuse): Joined {
  const facts: Fact[] = [];
  const schema = joinObjects(branches, { path: [], optionalParents: [], facts, refuse });
  return { schema, facts };
}

/** Returns the values of a type that is a set of literals. */
export function literalsIn(schema: JsonSchema): readonly LiteralValue[] | undefined {
  if (schema.enum) return schema.enum as LiteralValue[];
  return schema.type === "boolean" ? [true, false] : undefined;
}

interface Site {
  readonly path: readonly string[];
  readonly optionalParents: readonly (readonly string[])[];
  readonly facts: Fact[];
  readonly refuse: Refuse;
}

type Parts = readonly (JsonSchema | undefined)[];

function joinObjects(parts: Parts, site: Site): JsonSchema {
  const whole = parts.filter((part) => part !== undefined);
  const indices = [...parts.keys()].filter((index) => parts[index]);
  const names = new Set(whole.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const properties = [...names].map((name) => {
    const own = parts.map((part) => ownProperty(part, name));
    const required = indices.filter((index) => parts[index]?.required?.includes(name));
    const path = [...site.path, name];
    const isAlways = required.length === indices.length;
    const optionalParents = isAlways ? site.optionalParents : [...site.optionalParents, path];
    const slot = site.facts.push(noFact) - 1;
    const { schema, values } = joinProperty(own, { ...site, path, optionalParents });
    const fact: Fact = {
      path,
      optionalParents: site.optionalParents,
      required: isAlways ? [] : required,
      allowed: indices.filter((index) => own[index]),
      forbidden: indices.filter((index) => !own[index]),
      values,
    };
    site.facts[slot] = fact;
    refuseUnusable(fact, own, site.refuse);
    return [name, schema] as const;
  });
  const always = [...names].filter((name) => whole.every(({ required }) => required?.includes(name)));
  return {
    ...sharedKeywords(whole, site),
    type: "object",
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(always.length > 0 ? { required: always.toSorted() } : {}),
  };
}

const noFact: Fact = { path: [], optionalParents: [], required: [], allowed: [], forbidden: [], values: new Map() };

function ownProperty(part: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return part?.properties && Object.hasOwn(part.properties, name) ? part.properties[name] : undefined;
}

/** A server sets defaults before it evaluates rules, whatever the branch is. */
function refuseUnusable({ path, forbidden, required, values }: Fact, own: Parts, refuse: Refuse): void {
  const name = path.at(-1) ?? "";
  if (forbidden.length > 0 && own.some((schema) => schema?.default !== undefined)) {
    const reason = `the default of ${name} applies to every branch of the union, and not all of them have ${name}`;
    refuse(path, reason, 'remove the default, or put the fields of the branch into an object: { type: "a"; a: A }');
  }
  if (forbidden.length + required.length + values.size > 0 && !isNameable(name)) {
    const reason = `a rule cannot name ${name}, which only some branches of the union have`;
    refuse(path, reason, "rename it: a letter or _, and then letters, digits, _ and -");
  }
}

interface JoinedProperty {
  readonly schema: JsonSchema;
  readonly values: ReadonlyMap<number, readonly LiteralValue[]>;
}

function joinProperty(own: Parts, site: Site): JoinedProperty {
  const some = own.filter((schema) => schema !== undefined);
  const [first = {}] = some;
  const texts = documentationOf(some);
  const isEqual = some.every((schema) => equalJson(withoutTexts(schema), withoutTexts(first)));
  if (isEqual) return { schema: withTexts(first, texts), values: new Map() };
  const bare = some.map(({ enum: _values, default: _default, ...rest }) => withoutTexts(rest));
  if (bare.every((schema) => equalJson(schema, bare[0])) && haveOneDefault(some) && some.some(literalsIn))
    return withLimits(withTexts(joinLiterals(some), texts), own);
  if (some.every(isPlainObject)) return { schema: { ...joinObjects(own, site), ...texts }, values: new Map() };
  const [key = "type"] = differentKeys(some.map(withoutTexts));
  const reason = `${site.path.at(-1)} differs in its ${keywordNames[key] ?? key} between the branches of the union`;
  site.refuse(site.path, reason, "give it the same type and markers in all branches, or another name in one of them");
  return { schema: first, values: new Map() };
}

function haveOneDefault(some: readonly JsonSchema[]): boolean {
  const defaults = some.map((schema) => schema.default).filter((value) => value !== undefined);
  return defaults.every((value) => equalJson(value, defaults[0]));
}

function joinLiterals(some: readonly JsonSchema[]): JsonSchema {
  const { enum: _values, ...rest } = some.find((schema) => schema.default !== undefined) ?? some[0] ?? {};
  const literals = some.map(literalsIn);
  const values = [...new Set(literals.flatMap((list) => list ?? []))];
  const isOpen = literals.includes(undefined) || (rest.type === "boolean" && values.length > 1);
  return isOpen ? rest : { ...rest, enum: values };
}

/** Finds the branches that allow fewer values than the schema of all branches. */
function withLimits(schema: JsonSchema, own: Parts): JoinedProperty {
  const all = literalsIn(schema)?.length;
  const values = own.flatMap((part, index) => {
    const some = part && literalsIn(part);
    return some && some.length !== all ? [[index, some] as const] : [];
  });
  return { schema, values: new Map(values) };
}

function isPlainObject({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === "object" && properties !== undefined && additionalProperties === undefined;
}

/** Keeps the keywords that all parts have in common, and refuses others. Rules of the branches are joined elsewhere. */
function sharedKeywords(parts: readonly JsonSchema[], { path, refuse }: Site): JsonSchema {
  const apart = new Set<SchemaKey>(["type", "properties", "required", ...documentation]);
  if (path.length === 0) apart.add("x-kubernetes-validations");
  const keys = new Set(parts.flatMap((part) => Object.keys(part) as SchemaKey[]).filter((key) => !apart.has(key)));
  const [first = {}] = parts;
  const different = differentKeys(parts).find((key) => keys.has(key));
  if (different) {
    const name = keywordNames[different] ?? different;
    const what = path.length > 0 ? `${path.at(-1)} differs in its ${name}` : `${name} differs`;
    refuse(path, `${what} between the branches of the union`, "declare it in all branches, or in none");
  }
  return Object.fromEntries([...keys].map((key) => [key, first[key]]));
}

function differentKeys(parts: readonly JsonSchema[]): SchemaKey[] {
  const keys = new Set(parts.flatMap((part) => Object.keys(part) as SchemaKey[]));
  return [...keys].filter((key) => parts.some((part) => !equalJson(part[key], parts[0]?.[key])));
}

const keywordNames: { readonly [Key in SchemaKey]?: string } = {
  "x-kubernetes-validations": "rules",
  "x-kubernetes-preserve-unknown-fields": "PreserveUnknownFields",
  "x-kubernetes-map-type": "structType",
};

/** Returns the first text of each kind. */
function documentationOf(some: readonly JsonSchema[]): JsonSchema {
  return some.reduceRight<JsonSchema>((texts, schema) => {
    const own = Object.entries(schema).filter(([key]) => documentation.has(key as SchemaKey));
    return { ...texts, ...Object.fromEntries(own) };
  }, {});
}

function withTexts(schema: JsonSchema, texts: JsonSchema): JsonSchema {
  const changed = { ...schema, ...texts };
  return equalJson(changed, schema) ? schema : inheritName(changed, schema);
}
