import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  joinField,
  notSupported,
  required as missing,
  tooLong,
  tooMany,
} from "../../../apimachinery/field-error.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { isLimitTag, type LimitTag, type TagFormat, tagFormats, withoutComment } from "../../../apimachinery/tags.ts";

/**
 * A rule of a field. Its name and its arguments are those of the tag of Kubernetes' types that says the same: `minimum(0)`
 * is `+k8s:minimum=0`. Absent values have no errors, except for `required`. `root` is the object that is checked.
 */
export interface FieldRule {
  (value: unknown, at: string, parent: Fields, root: Fields): readonly FieldError[];
  /** True if absent values have no errors: most fields are absent. */
  readonly skipsAbsent?: boolean;
}

/**
 * Rules by the path of their fields: `spec.replicas`, `policies[]` for the items of a list, `limits{}` for the values of a
 * map, `(value|periodSeconds)` for several fields. Rules below a path are an object, whose key `.` stands for that path.
 */
export interface Rows {
  readonly [path: string]: FieldRule | Rows | readonly (FieldRule | Rows)[];
}

/** Checks an object against rows; `at` is its own path, and `root` the object that its rules see as the checked one. */
export type RowsCheck = (object: Fields | undefined, at?: string, root?: Fields) => FieldError[];

/** Returns the check of an object against rows. They are read with the first object. */
export function fieldRules(rows: Rows): RowsCheck {
  let visits: readonly Visit[] | undefined;
  return (object, at = "", root = object) => {
    const errors: FieldError[] = [];
    if (object && root) for (const visit of (visits ??= readRows(rows))) visit(object, at, object, { root, errors });
    return errors;
  };
}

interface Run {
  readonly root: Fields;
  readonly errors: FieldError[];
}

/** Checks a value by one row. */
type Visit = (value: unknown, at: string, parent: Fields, run: Run) => void;

function readRows(rows: Rows): Visit[] {
  return Object.entries(rows).flatMap(([path, content]) => {
    const all = Array.isArray(content) ? (content as readonly (FieldRule | Rows)[]) : [content as FieldRule | Rows];
    const rules = all.filter((each) => typeof each === "function");
    const below = all.filter((each) => typeof each !== "function").flatMap(readRows);
    const check: Visit = (value, at, parent, run) => {
      for (const rule of rules) {
        if (isAbsent(value) && rule.skipsAbsent) continue;
        const found = rule(value ?? undefined, at, parent, run.root);
        if (found.length > 0) run.errors.push(...found);
      }
      if (isObject(value)) for (const visit of below) visit(value, at, value, run);
    };
    const last = { check, skipsAbsent: rules.every((rule) => rule.skipsAbsent) };
    return alternatives(path).map((each) => (each === "." ? check : visitOf(each.split("."), last)));
  });
}

function alternatives(path: string): string[] {
  const [whole, names] = /\(([^)]*)\)/.exec(path) ?? [];
  return whole === undefined ? [path] : names!.split("|").flatMap((name) => alternatives(path.replace(whole, name)));
}

/** Returns the visit that goes along the steps of a path, to each value at its end. */
function visitOf([step = "", ...steps]: readonly string[], last: { check: Visit; skipsAbsent: boolean }): Visit {
  const next = steps.length > 0 ? visitOf(steps, last) : last.check;
  const skipsAbsent = steps.length > 0 || last.skipsAbsent;
  const name = step.replace(/\[\]$|\{\}$/, "");
  const each = step.slice(name.length);
  return (value, at, _parent, run) => {
    if (!isObject(value)) return;
    const child = value[name];
    if (each === "") {
      if (child !== undefined || !skipsAbsent) next(child, joinField(at, name), value, run);
    } else if (each === "[]" && Array.isArray(child)) {
      for (let index = 0; index < child.length; index++)
        next(child[index], `${joinField(at, name)}[${index}]`, value, run);
    } else if (each === "{}" && isObject(child))
      for (const [key, item] of Object.entries(child as Fields))
        next(item, `${joinField(at, name)}[${key}]`, value, run);
  };
}

/** Requires a value: texts, lists and maps must not be empty. */
export function required(why?: string): FieldRule {
  return (value, at) => {
    const isEmpty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    return isEmpty || (isObject(value) && Object.keys(value).length === 0) ? [missing(at, why)] : [];
  };
}

export function minimum(least: number): FieldRule {
  return when("number", (value, at) =>
    (value as number) < least ? [invalid(at, value, `must be greater than or equal to ${least}`)] : [],
  );
}

export function maximum(most: number): FieldRule {
  return when("number", (value, at) =>
    (value as number) > most ? [invalid(at, value, `must be less than or equal to ${most}`)] : [],
  );
}

/** Restricts a text to some words; an absent or empty one is up to `required`. */
export function enumOf(...words: readonly string[]): FieldRule {
  return given((value, at) => (words.includes(value as string) ? [] : [notSupported(at, value, words)]));
}

export function maxLength(most: number): FieldRule {
  return when("string", (value, at) => ((value as string).length > most ? [tooLong(at, most)] : []));
}

export function maxBytes(most: number): FieldRule {
  return when("string", (value, at) => (Buffer.byteLength(value as string) > most ? [tooLong(at, most)] : []));
}

export function maxItems(most: number): FieldRule {
  return given((value, at) => (Array.isArray(value) && value.length > most ? [tooMany(at, value.length, most)] : []));
}

type Format =
  | "k8s-short-name"
  | "k8s-long-name"
  | "k8s-long-name-caseless"
  | "k8s-label-key"
  | "k8s-label-value"
  | "k8s-path-segment-name";

/** Checks the form of a text that is not empty. */
export function format(name: Format): FieldRule {
  return formatRule(tagFormats.get(name)?.problems);
}

function formatRule(problems: TagFormat["problems"]): FieldRule {
  return when("string", (value, at) =>
    value === "" ? [] : (problems?.(value as string) ?? []).map((problem) => invalid(at, value, problem)),
  );
}

/** The rules of tags that limit a value. */
const limitRules: Readonly<Partial<Record<LimitTag, (limit: number) => FieldRule>>> = {
  minimum,
  maximum,
  maxLength,
  maxBytes,
  maxItems,
};

/** Returns the rule of a recorded tag, such as `minimum=0`; none for a tag or a format that the server does not know. */
export function tagRule(tag: string): FieldRule | undefined {
  const [name = "", value = ""] = withoutComment(tag).split("=");
  if (isLimitTag(name)) return limitRules[name]?.(Number(value));
  const problems = name === "format" ? tagFormats.get(value)?.problems : undefined;
  return problems && formatRule(problems);
}

/** Requires that the items of a list differ: as a whole, or in these fields. */
export function unique(...keys: readonly string[]): FieldRule {
  return (value, at) => {
    const seen = new Set<string>();
    return (Array.isArray(value) ? value : []).flatMap((item: unknown, index) => {
      const key = keys.length === 0 ? item : keys.map((name) => (item as Fields)[name]);
      const text = JSON.stringify(key);
      const isRepeated = seen.size === seen.add(text).size;
      return isRepeated ? [duplicate(`${at}[${index}]`, keys.length === 1 ? (key as unknown[])[0] : key)] : [];
    });
  };
}

/** Refuses that items of a list have the same value in this field. */
export function uniqueBy(field: string): FieldRule {
  return (list, at) => {
    const seen = new Set<unknown>();
    return (Array.isArray(list) ? (list as Fields[]) : []).flatMap(({ [field]: value }, index) =>
      value && seen.size === seen.add(value).size ? [duplicate(`${at}[${index}].${field}`, value)] : [],
    );
  };
}

/** Refuses that items of a list have the same name. */
export const uniqueNames: FieldRule = uniqueBy("name");

/** Requires a text with something else than whitespace. */
export const notBlank: FieldRule = (value, at) => (textOf(value).trim() === "" ? [missing(at)] : []);

/** Refuses the field whenever it is set. */
export function refused(why: string): FieldRule {
  return given((_value, at) => [forbidden(at, why)]);
}

/** Requires exactly one of the fields of an object, as `+k8s:unionMember` does. */
export function union(...members: readonly string[]): FieldRule {
  return (value, at) => {
    const set = members.filter((name) => isObject(value) && value[name] !== undefined && value[name] !== null);
    if (set.length === 0)
      return [missing(at, `must specify one of: ${members.map((name) => `\`${name}\``).join(", ")}`)];
    return set.slice(1).map((name) => forbidden(joinField(at, name), "may not specify more than one"));
  };
}

/** Requires the member that a discriminator names, as `+k8s:unionDiscriminator` does, and refuses the others. */
export function discriminated(discriminator: string, members: Readonly<Record<string, string>>): FieldRule {
  return (value, at) => {
    if (!isObject(value)) return [];
    const type = textOf(value[discriminator]);
    const wanted = Object.hasOwn(members, type) ? members[type] : undefined;
    const set = Object.values(members).filter((name) => isObject(value[name]));
    const others = set.filter((name) => name !== wanted);
    return [
      ...(wanted === undefined || set.includes(wanted) ? [] : [missing(joinField(at, wanted))]),
      ...(set.length > 1
        ? others.map((name) => forbidden(joinField(at, name), `is not of this ${discriminator}`))
        : []),
    ];
  };
}

/** Applies rules if the object in which the field is, or the checked one, fulfils a condition. */
export function ifParent(
  condition: (parent: Fields, root: Fields) => boolean,
  ...rules: readonly FieldRule[]
): FieldRule {
  return (value, at, parent, root) =>
    condition(parent, root)
      ? rules.flatMap((rule) => (isAbsent(value) && rule.skipsAbsent ? [] : rule(value, at, parent, root)))
      : [];
}

/** Reports that the value of a field is invalid if a condition does not hold. */
export function must(hold: (value: never, parent: Fields, root: Fields) => boolean, why: string): FieldRule {
  return given((value, at, parent, root) => (hold(value as never, parent, root) ? [] : [invalid(at, value, why)]));
}

/** Applies a function of `rules/`, whose first argument is the field, to a text that is not empty. */
export function text(check: (at: string, value: string, root: Fields) => readonly FieldError[]): FieldRule {
  return when("string", (value, at, _parent, root) => (value === "" ? [] : check(at, value as string, root)));
}

/** Applies a function of `rules/` to a text, which may be empty. */
export function anyText(check: (at: string, value: string) => readonly FieldError[]): FieldRule {
  return when("string", (value, at) => check(at, value as string));
}

function when(type: "number" | "string", rule: FieldRule): FieldRule {
  return given((value, at, parent, root) => (typeof value === type ? rule(value, at, parent, root) : []));
}

/** Marks a rule that is not applied to absent values. */
function given(rule: FieldRule): FieldRule {
  return Object.assign(rule, { skipsAbsent: true });
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
