import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { mapSubschemas } from "../../apimachinery/map-subschemas.ts";
import { documentation, merge, type Conflict } from "./merge.ts";
import { inheritName } from "./type-names.ts";
import type { SchemaNode } from "../markers/marker.ts";

const inherited: unique symbol = Symbol("inherited rules");
const named: unique symbol = Symbol("named type");
const variants: unique symbol = Symbol("branches of a union");
const absent: unique symbol = Symbol("absent properties");
const bounds: unique symbol = Symbol("bounds in the type");

interface Union {
  readonly schema: JsonSchema;
  readonly branches: readonly JsonSchema[];
}

/**
 * A schema under construction. If a type is used by its name, the draft holds only the additions at that place;
 * `flatten` joins it with the schema of the named type, since a server needs schemas without references.
 */
export interface Draft extends JsonSchema {
  [inherited]?: ValidationRule[];
  [named]?: JsonSchema;
  [variants]?: Union;
  [absent]?: readonly string[];
  [bounds]?: readonly string[];
}

/** Creates a use of a named type. The schema must be flat and is not changed. */
export function useOf(schema: JsonSchema): Draft {
  return { [named]: schema };
}

/** Adds the rules of base types after the type's own. */
export function inheritRules(draft: Draft, rules: readonly ValidationRule[]): void {
  draft[inherited] = [...(draft[inherited] ?? []), ...rules];
}

/** Creates the draft of a union of objects that remembers its branches. */
export function unionOf(schema: JsonSchema, branches: readonly JsonSchema[]): Draft {
  return { ...schema, [variants]: { schema, branches } };
}

/** Returns the branches of a flat schema; `undefined` if it is not a union, or if the union has rules of its own. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return unions.get(schema);
}

/** Returns the part of a union that all branches have, which is what `keyof` and `Pick` see; other schemas as they are. */
export function commonPart(schema: JsonSchema): JsonSchema {
  const branches = unions.get(schema);
  if (!branches) return schema;
  const common = Object.entries(schema.properties ?? {}).filter(([name]) =>
    branches.every(({ properties }) => properties && Object.hasOwn(properties, name)),
  );
  return { ...schema, properties: Object.fromEntries(common) };
}

/** Records properties that a type forbids: `x?: never`. */
export function forbid(draft: Draft, names: readonly string[]): void {
  draft[absent] = [...(draft[absent] ?? []), ...names];
}

/** Records limits that are part of the type, by the names of their markers. */
export function bind(draft: Draft, names: readonly string[]): void {
  draft[bounds] = [...boundsOf(draft), ...names];
}

/** Returns the limits that are part of the type. */
export function boundsOf(draft: Draft): readonly string[] {
  return draft[bounds] ?? [];
}

/** Returns the properties that a draft or a flat schema forbids. */
export function forbiddenIn(draft: Draft): readonly string[] {
  return draft[absent] ?? forbidden.get(draft) ?? [];
}

/** Returns the value of a key from this place or from the named type. */
export function known<Key extends keyof JsonSchema>(draft: Draft, key: Key): JsonSchema[Key] | undefined {
  return draft[key] ?? draft[named]?.[key];
}

/** Resolves all uses of named types, at any depth. The flat schemas are shared from then on and must not be changed. */
export function flatten(draft: Draft, conflict: Conflict): JsonSchema {
  if (flat.has(draft)) return draft;
  const {
    [named]: base,
    [inherited]: rules = [],
    [variants]: union,
    [absent]: names,
    [bounds]: _bounds,
    ...own
  } = draft;
  if (rules.length > 0) own["x-kubernetes-validations"] = [...(own["x-kubernetes-validations"] ?? []), ...rules];
  Object.assign(
    own,
    mapSubschemas(own, (part) => flatten(part, conflict)),
  );
  const result = base ? join(base, own, conflict) : own;
  flat.add(result);
  const isOnlyDocumented = Object.keys(own).every((key) => documentation.has(key as keyof JsonSchema));
  const branches = union ? branchesWith(own, union) : base && isOnlyDocumented ? unions.get(base) : undefined;
  if (branches) unions.set(result, branches);
  const gone = names ?? (base && forbidden.get(base));
  if (gone) forbidden.set(result, gone);
  return result;
}

/** Adds the rules of a union's own markers to its branches; other markers make it one type. */
function branchesWith(own: JsonSchema, { schema, branches }: Union): readonly JsonSchema[] | undefined {
  const keys = Object.keys({ ...own, ...schema }) as (keyof JsonSchema)[];
  const isChanged = keys.some((key) => !mayDiffer.has(key) && own[key] !== schema[key]);
  if (isChanged) return undefined;
  const known = new Set(schema["x-kubernetes-validations"]);
  const added = (own["x-kubernetes-validations"] ?? []).filter((rule) => !known.has(rule));
  if (added.length === 0) return branches;
  return branches.map((branch) => ({
    ...branch,
    "x-kubernetes-validations": [...(branch["x-kubernetes-validations"] ?? []), ...added],
  }));
}

/** The keys of a union that are copied or join those of its branches. */
const mayDiffer: ReadonlySet<keyof JsonSchema> = new Set([
  ...documentation,
  "properties" as const,
  "required" as const,
  "x-kubernetes-validations" as const,
]);

const flat = new WeakSet<JsonSchema>();
const unions = new WeakMap<JsonSchema, readonly JsonSchema[]>();
const forbidden = new WeakMap<JsonSchema, readonly string[]>();

function join(base: JsonSchema, own: JsonSchema, conflict: Conflict): JsonSchema {
  if (Object.keys(own).length === 0) return base;
  const joined = merge(base, own, conflict);
  for (const key of documentation) {
    if (own[key] !== undefined) Object.assign(joined, { [key]: own[key] });
  }
  return inheritName(joined, base);
}

interface Surroundings {
  readonly required?: boolean | undefined;
  readonly type?: JsonSchema["type"] | undefined;
  readonly misfit: (reason: string, advice: string) => void;
}

/** Returns what a marker sees of a schema under construction. */
export function schemaNode(draft: Draft, { required, type, misfit }: Surroundings): SchemaNode {
  return {
    schema: draft,
    type: known(draft, "type") ?? type,
    intOrString: known(draft, "x-kubernetes-int-or-string") === true,
    required,
    requiredNames: known(draft, "required") ?? [],
    propertyNames: Object.keys(known(draft, "properties") ?? {}),
    bounds: boundsOf(draft),
    misfit,
  };
}
