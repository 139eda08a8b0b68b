import { equalJson } from "../../../apimachinery/equal.ts";
import { type FieldError, invalid, joinField, required as missing } from "../../../apimachinery/field-error.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { immutableText } from "../../../apimachinery/tags.ts";
import { enumOf, type FieldRule, required, tagRule } from "./field-rules.ts";

/**
 * Returns the errors that follow from the Go types of a built-in kind: recorded `+k8s:` tags, unknown words, and missing
 * fields below those of the object. Of a status, only the tags are checked.
 */
export function declaredErrors(schema: JsonSchema, object: Fields, old: Fields | undefined): FieldError[] {
  const { metadata: _metadata, ...content } = object;
  const errors: FieldError[] = [];
  checkFields(schema, content, { at: "", part: "", old, root: object, errors });
  return errors;
}

/** Parts of objects whose types call fields required that may be empty: also the hints of an EndpointSlice. */
const withoutRequired = new Set(["", "status", "endpoints"]);

interface Place {
  readonly at: string;
  /** The field of the object in which the value is, such as `spec`. */
  readonly part: string;
  readonly old: Fields | undefined;
  readonly root: Fields;
  readonly errors: FieldError[];
}

function checkFields(schema: JsonSchema, fields: Fields, place: Place): void {
  const { properties = {}, additionalProperties } = schema;
  const { at, part, old, root, errors } = place;
  const { needed, fixed } = declarationsOf(schema);
  if (!withoutRequired.has(part))
    for (const name of schema.required ?? [])
      if ((fields[name] ?? "") === "") errors.push(missing(joinField(at, name)));
  for (const name of needed) errors.push(...isNeeded(fields[name], joinField(at, name), fields, root));
  for (const name of fixed)
    if (old && !equalJson(fields[name], old[name]))
      errors.push(invalid(joinField(at, name), fields[name] ?? null, immutableText));
  for (const [name, value] of Object.entries(fields)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    // Most fields are scalars without a rule.
    if (typeof own !== "object" || (typeof value !== "object" && !own.enum && !own["x-kubernetes-tags"])) continue;
    const before = old?.[name];
    const below = { at: joinField(at, name), part: part || name, old: isObject(before) ? before : undefined };
    checkValue(own, value, { ...place, ...below }, fields);
  }
}

function checkValue(schema: JsonSchema, value: unknown, place: Place, parent: Fields): void {
  if (value === undefined || value === null) return;
  const { at, part, root, errors } = place;
  if (schema.enum && part !== "status") errors.push(...enumOf(...(schema.enum as string[]))(value, at, parent, root));
  for (const rule of rulesOf(schema)) errors.push(...rule(value, at, parent, root));
  if (Array.isArray(value)) {
    for (const [index, item] of schema.items ? value.entries() : [])
      checkValue(schema.items!, item, { ...place, at: `${at}[${index}]`, old: undefined }, parent);
  } else if (isObject(value)) checkFields(schema, value, place);
}

const isNeeded = required();
const noRules: readonly FieldRule[] = [];
const rules = new WeakMap<JsonSchema, readonly FieldRule[]>();

function rulesOf(schema: JsonSchema): readonly FieldRule[] {
  const tags = schema["x-kubernetes-tags"];
  if (!tags) return noRules;
  const known = rules.get(schema) ?? tags.map(tagRule).filter((rule) => rule !== undefined);
  rules.set(schema, known);
  return known;
}

/** The fields of an object that are tagged as required, and those that are tagged as immutable. */
interface Declarations {
  readonly needed: readonly string[];
  readonly fixed: readonly string[];
}

const declarations = new WeakMap<JsonSchema, Declarations>();

function declarationsOf(schema: JsonSchema): Declarations {
  const tagged = (tag: string): string[] => {
    const fields = Object.entries(schema.properties ?? {});
    return fields.filter(([, own]) => own["x-kubernetes-tags"]?.includes(tag)).map(([name]) => name);
  };
  const known = declarations.get(schema) ?? { needed: tagged("required"), fixed: tagged("immutable") };
  declarations.set(schema, known);
  return known;
}
