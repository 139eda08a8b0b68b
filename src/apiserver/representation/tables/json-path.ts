import { isObject } from "../../../apimachinery/is-object.ts";
/** A compiled path, which returns the selected values in order. */
export type JsonPath = (object: unknown) => unknown[];

/** An invalid path, for example in a new CRD. */
export class JsonPathError extends Error {
  override readonly name: string = "JsonPathError";
}

/**
 * Compiles the JSONPath subset that printer columns and scale paths use: `.a.b`, `['a.b']`, escaped dots, `[0]`, `[-1]`,
 * `[1:3]`, `[0,2]`, `[*]`, `.*`, `..name` and filters such as `[?(@.type=="Ready")]`. The braces around it are optional.
 * A step into a missing value selects nothing. Throws `JsonPathError`.
 */
export function compileJsonPath(path: string): JsonPath {
  const inner = /^\{(.*)\}$/s.exec(path)?.[1] ?? path;
  const steps = parseSteps(inner.replace(/^\$/, ""));
  return (object) => steps.reduce<unknown[]>((values, step) => values.flatMap(step).slice(0, maxValues), [object]);
}

/** The most values that are selected: each `..` multiplies them, and only the first is shown. */
const maxValues = 1000;

type Step = (value: unknown) => unknown[];

function parseSteps(path: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    if (path[at] === "[") {
      const end = closingBracket(path, at);
      steps.push(bracketStep(path.slice(at + 1, end)));
      at = end + 1;
      continue;
    }
    const recursive = path.startsWith("..", at);
    if (!recursive && path[at] !== ".")
      throw new JsonPathError(`unrecognized character in ${path} at ${path.slice(at)}`);
    at += recursive ? 2 : 1;
    const name = /^(?:\\.|[^.[\\])*/s.exec(path.slice(at))?.[0] ?? "";
    at += name.length;
    if (recursive) steps.push(descendants);
    if (name === "*") steps.push(children);
    else if (name !== "") steps.push(fieldStep(name.replace(/\\(.)/gs, "$1")));
    else if (recursive && path[at] !== "[") throw new JsonPathError(`a name is missing after ".." in ${path}`);
  }
  return steps;
}

/** Returns the position of the closing bracket. Brackets may be nested in a filter, or quoted. */
function closingBracket(path: string, open: number): number {
  let depth = 0;
  let quote = "";
  for (let at = open; at < path.length; at++) {
    const char = path[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "[") depth++;
    else if (char === "]" && --depth === 0) return at;
  }
  throw new JsonPathError(`unterminated array in ${path}`);
}

function bracketStep(content: string): Step {
  const text = content.trim();
  if (text === "*") return (value) => (Array.isArray(value) ? (value as unknown[]) : []);
  const filter = /^\?\((.*)\)$/s.exec(text)?.[1];
  if (filter !== undefined) return filterStep(filter);
  const name = unquote(text);
  if (name !== undefined) return fieldStep(name);
  if (text.includes(",")) {
    const alternatives = text.split(",").map(bracketStep);
    return (value) => alternatives.flatMap((step) => step(value));
  }
  const slice = /^(-?\d*)(?::(-?\d*)(?::(\d*))?)?$/.exec(text);
  if (!slice || text === "") throw new JsonPathError(`invalid array index ${text}`);
  return indexStep(slice);
}

function indexStep([text, first = "", end, stride]: readonly string[]): Step {
  const isRange = text?.includes(":") === true;
  const step = Math.max(Number(stride ?? 1) || 1, 1);
  return (value) => {
    if (!Array.isArray(value)) return [];
    if (!isRange) return itemAt(value, Number(first));
    const from = bound(first, value.length, 0);
    return value.slice(from, bound(end ?? "", value.length, value.length)).filter((_, index) => index % step === 0);
  };
}

function itemAt(list: readonly unknown[], index: number): unknown[] {
  const at = index < 0 ? list.length + index : index;
  return at >= 0 && at < list.length ? [list[at]] : [];
}

function bound(text: string, length: number, otherwise: number): number {
  if (text === "") return otherwise;
  const index = Number(text);
  return index < 0 ? Math.max(length + index, 0) : index;
}

function fieldStep(name: string): Step {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return isObject(value) ? Object.values(value) : [];
}

function descendants(value: unknown): unknown[] {
  return [value, ...children(value).flatMap((child) => (typeof child === "object" ? descendants(child) : []))];
}

type Operand = (item: unknown) => unknown;

type Ordered = number | string;

const operators: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": compareOrdered((a, b) => a < b),
  "<=": compareOrdered((a, b) => a <= b),
  ">": compareOrdered((a, b) => a > b),
  ">=": compareOrdered((a, b) => a >= b),
};

function filterStep(text: string): Step {
  const match = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(text.trim());
  if (!match) {
    const exists = compileOperand(text.trim());
    return (value) => children(value).filter((item) => exists(item) !== undefined);
  }
  const [left, compare, right] = [compileOperand(match[1]!), operators[match[2]!]!, compileOperand(match[3]!)];
  return (value) =>
    children(value).filter((item) => {
      const [a, b] = [left(item), right(item)];
      return a !== undefined && b !== undefined && compare(a, b);
    });
}

function compileOperand(text: string): Operand {
  const literal = unquote(text);
  if (literal !== undefined) return () => literal;
  if (text === "true" || text === "false") return () => text === "true";
  if (/^-?\d+(\.\d+)?$/.test(text)) return () => Number(text);
  if (!text.startsWith("@")) throw new JsonPathError(`unrecognized operand ${text}`);
  const path = compileJsonPath(text.slice(1));
  return (item) => path(item)[0];
}

function unquote(text: string): string | undefined {
  const match = /^'((?:\\.|[^'\\])*)'$|^"((?:\\.|[^"\\])*)"$/s.exec(text);
  return match ? (match[1] ?? match[2] ?? "").replace(/\\(.)/gs, "$1") : undefined;
}

/** Compares values of the same type; values of different types have no order. */
function compareOrdered(compare: (a: Ordered, b: Ordered) => boolean): (a: unknown, b: unknown) => boolean {
  return (a, b) => isOrdered(a) && isOrdered(b) && typeof a === typeof b && compare(a, b);
}

function isOrdered(value: unknown): value is Ordered {
  return typeof value === "number" || typeof value === "string";
}
