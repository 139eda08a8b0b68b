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
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelKeyErrors,
  labelValueErrors,
  pathSegmentErrors,
} from "./name-errors.ts";

/**
 * A rule of a field. Its name and its arguments are those of the tag of Kubernetes' types that says the same: `minimum(0)`
 * is `+k8s:minimum=0`. Absent values have no errors, except for `required`.
 */
export type FieldRule = (value: unknown, at: string, parent: Fields) => readonly FieldError[];

/**
 * Rules by the path of their fields: `spec.replicas`, `policies[]` for the items of a list, `limits{}` for the values of a
 * map, `(value|periodSeconds)` for several fields. Rules below a path are an object, whose key `.` stands for that path.
 */
export interface Rows {
  readonly [path: string]: FieldRule | Rows | readonly (FieldRule | Rows)[];
}

/** Checks an object against rows; `at` is its own path. */
export type RowsCheck = (object: Fields | undefined, at?: string) => FieldError[];

/** Returns the check of an object against rows. They are read with the first object. */
export function fieldRules(rows: Rows): RowsCheck {
  let read: readonly Row[] | undefined;
  return (object, at = "") => (object ? rowErrors((read ??= readRows(rows)), object, at) : []);
}

/** The rules at a path: its steps, and what is checked there. */
interface Row {
  readonly steps: readonly Step[];
  readonly rules: readonly FieldRule[];
  readonly below: readonly (readonly Row[])[];
}

interface Step {
  readonly name: string;
  /** How the step goes on from the field to the values in it. */
  readonly each: "[]" | "{}" | undefined;
}

function readRows(rows: Rows): Row[] {
  return Object.entries(rows).flatMap(([path, content]) => {
    const all = Array.isArray(content) ? (content as readonly (FieldRule | Rows)[]) : [content as FieldRule | Rows];
    const rules = all.filter((each) => typeof each === "function");
    const below = all.filter((each) => typeof each !== "function").map(readRows);
    return alternatives(path).map((each) => ({ steps: stepsOf(each), rules, below }));
  });
}

function alternatives(path: string): string[] {
  const [whole, names] = /\(([^)]*)\)/.exec(path) ?? [];
  return whole === undefined ? [path] : names!.split("|").flatMap((name) => alternatives(path.replace(whole, name)));
}

function stepsOf(path: string): Step[] {
  if (path === ".") return [];
  return path.split(".").map((step) => {
    const [, name = "", each] = /^(.*?)(\[\]|\{\})?$/.exec(step)!;
    return { name, each: each as Step["each"] };
  });
}

function rowErrors(rows: readonly Row[], object: Fields, at: string): FieldError[] {
  return rows.flatMap((row) => stepErrors(row, 0, { value: object, at, parent: object }));
}

interface Place {
  readonly value: unknown;
  readonly at: string;
  readonly parent: Fields;
}

function stepErrors(row: Row, index: number, { value, at, parent }: Place): FieldError[] {
  const step = row.steps[index];
  if (!step) {
    const own = row.rules.flatMap((rule) => rule(value ?? undefined, at, parent));
    return isObject(value) ? [...own, ...row.below.flatMap((rows) => rowErrors(rows, value, at))] : own;
  }
  if (!isObject(value)) return [];
  const [field, child] = [joinField(at, step.name), value[step.name]];
  const next = (each: unknown, place: string): FieldError[] =>
    stepErrors(row, index + 1, { value: each, at: place, parent: value });
  if (step.each === "[]")
    return Array.isArray(child) ? child.flatMap((item, place) => next(item, `${field}[${place}]`)) : [];
  if (step.each === "{}")
    return isObject(child) ? Object.entries(child).flatMap(([key, each]) => next(each, `${field}[${key}]`)) : [];
  return next(child, field);
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
  return (value, at) =>
    value === undefined || words.includes(value as string) ? [] : [notSupported(at, value, words)];
}

export function maxLength(most: number): FieldRule {
  return when("string", (value, at) => ((value as string).length > most ? [tooLong(at, most)] : []));
}

export function maxItems(most: number): FieldRule {
  return (value, at) => (Array.isArray(value) && value.length > most ? [tooMany(at, value.length, most)] : []);
}

type Format = "k8s-short-name" | "k8s-long-name" | "k8s-label-key" | "k8s-label-value" | "k8s-path-segment-name";

/** The functions that check formats. */
const formats: Readonly<Record<Format, (at: string, value: string) => readonly FieldError[]>> = {
  "k8s-short-name": dnsLabelErrors,
  "k8s-long-name": dnsSubdomainErrors,
  "k8s-label-key": labelKeyErrors,
  "k8s-label-value": labelValueErrors,
  "k8s-path-segment-name": pathSegmentErrors,
};

/** Checks the form of a text that is not empty. */
export function format(name: Format): FieldRule {
  return when("string", (value, at) => (value === "" ? [] : formats[name](at, value as string)));
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

/** Refuses the field whenever it is set. */
export function refused(why: string): FieldRule {
  return (value, at) => (value === undefined ? [] : [forbidden(at, why)]);
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
    const word = textOf(value[discriminator]);
    const wanted = Object.hasOwn(members, word) ? members[word] : undefined;
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

/** Applies rules if the object in which the field is fulfils a condition. */
export function ifParent(condition: (parent: Fields) => boolean, ...rules: readonly FieldRule[]): FieldRule {
  return (value, at, parent) => (condition(parent) ? rules.flatMap((rule) => rule(value, at, parent)) : []);
}

/** Reports that the value of a field is invalid if a condition does not hold. */
export function must(hold: (value: never, parent: Fields) => boolean, why: string): FieldRule {
  return (value, at, parent) => (value === undefined || hold(value as never, parent) ? [] : [invalid(at, value, why)]);
}

/** Applies a function of `rules/`, whose first argument is the field, to a text that is not empty. */
export function text(check: (at: string, value: string) => readonly FieldError[]): FieldRule {
  return (value, at) => (textOf(value) === "" ? [] : check(at, value as string));
}

function when(type: "number" | "string", rule: FieldRule): FieldRule {
  return (value, at, parent) => (typeof value === type ? rule(value, at, parent) : []);
}
