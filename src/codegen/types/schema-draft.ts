import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { documentation, merge, type Conflict } from "./merge.ts";
import { inheritName } from "./type-names.ts";

const inherited: unique symbol = Symbol("inherited rules");
const named: unique symbol = Symbol("named type");

/**
 * A schema under construction. If a type is used by its name, the draft holds only the additions at that place;
 * `flatten` joins it with the schema of the named type, since a server needs schemas without references.
 */
export interface Draft extends JsonSchema {
  [inherited]?: ValidationRule[];
  [named]?: JsonSchema;
}

/** Creates a use of a named type. The schema must be flat and is not changed. */
export function useOf(schema: JsonSchema): Draft {
  return { [named]: schema };
}

/** Adds the rules of base types after the type's own. */
export function inheritRules(draft: Draft, rules: readonly ValidationRule[]): void {
  draft[inherited] = [...(draft[inherited] ?? []), ...rules];
}

/** Returns the value of a key from this place or from the named type. */
export function known<Key extends keyof JsonSchema>(draft: Draft, key: Key): JsonSchema[Key] | undefined {
  return draft[key] ?? draft[named]?.[key];
}

/** Resolves all uses of named types, at any depth. The flat schemas are shared from then on and must not be changed. */
export function flatten(draft: Draft, conflict: Conflict): JsonSchema {
  if (flat.has(draft)) return draft;
  const { [named]: base, [inherited]: rules = [], ...own } = draft;
  if (rules.length > 0) own["x-kubernetes-validations"] = [...(own["x-kubernetes-validations"] ?? []), ...rules];
  if (own.items) own.items = flatten(own.items, conflict);
  if (typeof own.additionalProperties === "object") {
    own.additionalProperties = flatten(own.additionalProperties, conflict);
  }
  if (own.properties) {
    const properties = Object.entries(own.properties);
    own.properties = Object.fromEntries(properties.map(([name, property]) => [name, flatten(property, conflict)]));
  }
  const result = base ? join(base, own, conflict) : own;
  flat.add(result);
  return result;
}

const flat = new WeakSet<JsonSchema>();

function join(base: JsonSchema, own: JsonSchema, conflict: Conflict): JsonSchema {
  if (Object.keys(own).length === 0) return base;
  const joined = merge(base, own, conflict);
  for (const key of documentation) {
    if (own[key] !== undefined) Object.assign(joined, { [key]: own[key] });
  }
  return inheritName(joined, base);
}
