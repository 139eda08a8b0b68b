import { MarkerSyntaxError, Scanner } from "./scanner.ts";
import { parseAny } from "./any-value.ts";
import { parseBareText, parseQuoted } from "./text-value.ts";

/** The parser of a value, and the name of its type in messages and in the reference. */
export interface ValueType<V> {
  readonly name: string;
  parse(scanner: Scanner): V;
}

/** The arguments that a marker takes after its name. */
export type Argument<V> =
  | { readonly shape: "none"; readonly none: V }
  | { readonly shape: "value"; readonly type: ValueType<V> }
  | { readonly shape: "raw"; parse(text: string): V }
  | { readonly shape: "named"; readonly fields: Readonly<Record<string, NamedField>> };

export interface NamedField {
  readonly type: ValueType<unknown>;
  readonly required: boolean;
  readonly help: string;
}

export const int: ValueType<number> = {
  name: "int",
  parse(scanner) {
    const digits = scanner.match(/-?\s*\d+(?![\w.])/y);
    return digits === undefined ? scanner.fail(`expected an integer, got ${scanner.describeNext()}`) : toNumber(digits);
  },
};

export const number: ValueType<number> = {
  name: "number",
  parse(scanner) {
    const digits = scanner.match(/-?\s*(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?(?![\w.])/y);
    return digits === undefined ? scanner.fail(`expected a number, got ${scanner.describeNext()}`) : toNumber(digits);
  },
};

export const bool: ValueType<boolean> = {
  name: "bool",
  parse(scanner) {
    const word = scanner.match(/(true|false)(?![\w.])/y);
    return word === undefined ? scanner.fail(`expected true or false, got ${scanner.describeNext()}`) : word === "true";
  },
};

/** Nothing after the name means true. */
export const flag: ValueType<boolean> = {
  name: "bool",
  parse: (scanner) => scanner.atEnd() || bool.parse(scanner),
};

export const text: ValueType<string> = {
  name: "string",
  parse: (scanner) => parseQuoted(scanner) ?? parseBareText(scanner),
};

/** Any value, with its type guessed; `a;b` is a list. */
export const any: ValueType<unknown> = { name: "any", parse: (scanner) => parseAny(scanner) };

/** One element of a list of any values. */
export const anyElement: ValueType<unknown> = { name: "any", parse: (scanner) => parseAny(scanner, "list") };

/** `{a,b}` or `a;b`. */
export function list<V>(element: ValueType<V>): ValueType<V[]> {
  return {
    name: `list of ${element.name}`,
    parse(scanner) {
      const values: V[] = [];
      const braces = scanner.take("{");
      if (braces && scanner.take("}")) return values;
      do values.push(element.parse(scanner));
      while (scanner.take(braces ? "," : ";"));
      if (braces) scanner.expect("}");
      return values;
    },
  };
}

/** Parses the text after `+name=`. The `offset` of an error counts from the start of `source`. */
export function parseArgument<V>(argument: Argument<V>, source: string | undefined): V {
  switch (argument.shape) {
    case "none":
      if (source !== undefined && source.trim() !== "") {
        throw new MarkerSyntaxError("takes no argument", 0, "remove the = and everything after it");
      }
      return argument.none;
    case "raw":
      return argument.parse(source ?? "");
    case "value":
      return parseWhole(source ?? "", argument.type);
    case "named":
      return parseNamed(source ?? "", argument.fields) as V;
  }
}

function parseWhole<V>(source: string, type: ValueType<V>): V {
  const scanner = new Scanner(source);
  // A string that is the whole argument, such as a pattern, needs no quotes.
  if ((type as unknown) === text && /^[^"`]/.test(source.trim())) return source.trim() as V;
  const value = type.parse(scanner);
  if (!scanner.atEnd()) {
    scanner.fail(
      `${scanner.describeNext()} is unexpected`,
      'write a list as a;b, and quote strings that contain , ; or }: "…" or `…`',
    );
  }
  return value;
}

function parseNamed(source: string, fields: Readonly<Record<string, NamedField>>): Record<string, unknown> {
  const scanner = new Scanner(source);
  const values: Record<string, unknown> = {};
  while (!scanner.atEnd()) {
    scanner.skipBlanks();
    const start = scanner.at;
    const name =
      scanner.match(/[A-Za-z_][\w-]*/y) ??
      scanner.fail(`expected the name of an argument, got ${scanner.describeNext()}`);
    const field = fields[name];
    if (!field) {
      throw new MarkerSyntaxError(`unknown argument "${name}"`, start, `it takes ${Object.keys(fields).join(", ")}`);
    }
    scanner.take(":");
    scanner.expect("=");
    values[name] = field.type.parse(scanner);
    if (!scanner.atEnd()) scanner.expect(",");
  }
  const missing = Object.keys(fields).filter((name) => fields[name]?.required && !(name in values));
  if (missing.length > 0) {
    throw new MarkerSyntaxError(
      `missing argument${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`,
      source.length,
    );
  }
  return values;
}

function toNumber(digits: string): number {
  return Number(digits.replace(/\s/g, ""));
}
