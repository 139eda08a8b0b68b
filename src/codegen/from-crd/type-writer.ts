import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { propertyName } from "../format-literal.ts";
import { knownType } from "../types/known-types.ts";
import { descriptionLines, docComment } from "./doc-comment.ts";
import { json, markerLines } from "./marker-lines.ts";
import { baseType, schemaless, type TypeNames } from "./base-type.ts";
import { pascalCase } from "./pascal-case.ts";
import { readUnion, type ReadUnion } from "./read-union.ts";

/** A type, and the markers that its place needs in addition. */
interface Expressed {
  readonly text: string;
  readonly markers: readonly string[];
}

interface Extra {
  readonly markers?: readonly string[];
  readonly head?: string;
  /** The type after `extends`. */
  readonly base?: string;
  /** The beginning of the names of nested types; by default, the interface's own name. */
  readonly path?: string;
}

/**
 * Writes the types of one kind. Nested objects become interfaces that are named after their path, so that a name stays
 * when other fields come and go.
 */
export class TypeWriter implements TypeNames {
  readonly imports: Set<string> = new Set();
  private readonly names: Set<string>;
  private readonly declarations: string[] = [];
  /** In a union: the names of the types that its branches share, by path and schema. */
  private shared: Map<string, string> | undefined;

  constructor(kind: string) {
    this.names = new Set([kind]);
  }

  /** The declarations so far, in the order of their fields. */
  get text(): string {
    return this.declarations.join("\n");
  }

  /** Declares an interface with the properties and markers of a schema. */
  declareInterface(name: string, schema: JsonSchema, extra: Extra = {}): void {
    const { properties = {}, required = [], description, ...rest } = schema;
    const slot = this.declarations.push("") - 1;
    delete rest.type;
    const isOpen = rest["x-kubernetes-preserve-unknown-fields"] === true;
    delete rest["x-kubernetes-preserve-unknown-fields"];
    const body = Object.entries(properties)
      .map(([key, property]) =>
        this.property(key, property, { path: extra.path ?? name, required: required.includes(key) }),
      )
      .join("");
    const unknown = required.filter((key) => !Object.hasOwn(properties, key));
    const left = { ...rest, ...(unknown.length > 0 ? { required: required.toSorted() } : {}) };
    const markers = [...(extra.markers ?? []), ...markerLines(left, "object").map(plus)];
    const comment = docComment([descriptionLines(description), markers], "");
    const index = isOpen ? "  [key: string]: unknown;\n" : "";
    this.declarations[slot] =
      `${comment}export interface ${name}${extra.base ? ` extends ${extra.base}` : ""} {\n${extra.head ?? ""}${body}${index}}\n`;
  }

  /** Writes a type without markers. Markers of an element or of a map's value require an alias. */
  element(schema: JsonSchema, path: string): string {
    const { default: fallback, example, description, ...rest } = schema;
    // Only an interface has a place for the text of an element.
    const isInterface = Object.keys(rest.properties ?? {}).length > 0;
    const plain = isInterface && description !== undefined ? { ...rest, description } : rest;
    const expressed = this.express(plain, path, { nullableAsMarker: false });
    const more = {
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(example === undefined ? {} : { example }),
    };
    const markers = [...expressed.markers, ...markerLines(more, undefined)];
    // Only a field can be without a type.
    if (markers.length === 0 || markers.includes(schemaless)) return expressed.text;
    const name = this.claim(path);
    const [type, isNullable] = splitNull(expressed.text);
    const alias = `export type ${name} = ${type};\n`;
    this.declarations.push(docComment([markers.map(plus)], "") + alias);
    return isNullable ? `${name} | null` : name;
  }

  /** Declares an object's interface and returns its name. */
  nested(schema: JsonSchema, path: string): string {
    const key = `${path} ${JSON.stringify(schema)}`;
    const known = this.shared?.get(key);
    if (known !== undefined) return known;
    const name = this.claim(path);
    this.shared?.set(key, name);
    const union = readUnion(schema);
    if (union) this.declareUnion(name, union, schema.description);
    else this.declareInterface(name, schema);
    return name;
  }

  /** Declares an interface for each branch, and one for the fields that all have in common. */
  private declareUnion(name: string, { branches, rules }: ReadUnion, description: string | undefined): void {
    const slot = this.declarations.push("") - 1;
    const common = commonPart(branches.map(({ schema }) => schema));
    const hasCommon = Object.keys(common.properties ?? {}).length > 0;
    const base = hasCommon ? this.claim(`${name}Common`) : undefined;
    if (base) this.declareInterface(base, common, { path: name });
    const outer = this.shared;
    this.shared = new Map();
    const names = branches.map((branch) => {
      const own = this.claim(`${pascalCase(branch.name)}${name}`);
      const head = branch.never.map((key) => `  ${propertyName(key)}?: never;\n`).join("");
      this.declareInterface(own, without(branch.schema, common), { path: name, head, ...(base ? { base } : {}) });
      return own;
    });
    this.shared = outer;
    const markers = markerLines({ "x-kubernetes-validations": [...rules] }, "object").map(plus);
    const comment = docComment([descriptionLines(description), rules.length > 0 ? markers : []], "");
    this.declarations[slot] = `${comment}export type ${name} = ${names.join(" | ")};\n`;
  }

  use(name: string): string {
    this.imports.add(name);
    return name;
  }

  private property(key: string, schema: JsonSchema, { path, required }: { path: string; required: boolean }): string {
    const { description, default: fallback, ...rest } = schema;
    const expressed = this.express(rest, `${path}${pascalCase(key)}`, { nullableAsMarker: true });
    const markers = [...expressed.markers, ...defaultLine(fallback)].map(plus);
    const tag = fallback === undefined ? [] : [`@defaultValue ${json(fallback).replaceAll("@", "\\u0040")}`];
    const comment = docComment([descriptionLines(description), markers, tag], "  ");
    const head = `  ${propertyName(key)}${required ? "" : "?"}: `;
    return `${comment}${head}${wrapUnion(expressed.text, head.length)};\n`;
  }

  private express(
    schema: JsonSchema,
    path: string,
    { nullableAsMarker }: { readonly nullableAsMarker: boolean },
  ): Expressed {
    const rest: JsonSchema = { ...schema };
    const isNullable = rest.nullable === true;
    delete rest.nullable;
    const { text, seen, isEnum, markers = [] } = baseType(rest, path, this);
    // `"a" | null` would be an allOf; a server refuses null for an enum without it anyway. A schema in a marker is whole.
    if (isNullable && ((isEnum && !nullableAsMarker) || markers.includes(schemaless))) rest.nullable = true;
    const presence = isNullable && isEnum && nullableAsMarker ? ["nullable"] : [];
    const lines = [...markers, ...presence, ...markerLines(rest, seen)];
    return { text: isNullable && !isEnum ? `${text} | null` : text, markers: lines };
  }

  /** Two paths may give one name: `a.b` and `aB`. */
  private claim(path: string): string {
    let name = path;
    for (let count = 2; this.names.has(name) || knownType(name); count++) name = `${path}${count}`;
    this.names.add(name);
    return name;
  }
}

/** Returns the properties that all branches of a union have, with the same schema and presence. */
function commonPart([first = {}, ...others]: readonly JsonSchema[]): JsonSchema {
  const isCommon = (name: string): boolean =>
    others.every(
      ({ properties = {}, required = [] }) =>
        Object.hasOwn(properties, name) &&
        equalJson(properties[name], first.properties?.[name]) &&
        required.includes(name) === (first.required ?? []).includes(name),
    );
  const properties = Object.entries(first.properties ?? {}).filter(([name]) => isCommon(name));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: (first.required ?? []).filter((name) => isCommon(name)),
  };
}

function without(
  { properties = {}, required = [], ...rest }: JsonSchema,
  { properties: gone = {} }: JsonSchema,
): JsonSchema {
  const kept = Object.entries(properties).filter(([name]) => !Object.hasOwn(gone, name));
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !Object.hasOwn(gone, name)),
  };
}

function defaultLine(value: unknown): string[] {
  if (value === undefined) return [];
  return [`${typeof value === "object" ? "default" : "kubebuilder:default"}=${json(value)}`];
}

function plus(marker: string): string {
  return `+${marker}`;
}

function splitNull(text: string): readonly [string, boolean] {
  return text.endsWith(" | null") ? [text.slice(0, -" | null".length), true] : [text, false];
}

/** Breaks a long union of literals into lines, as prettier does. */
function wrapUnion(text: string, column: number): string {
  if (column + text.length < 120 || !/^["\d-]/.test(text)) return text;
  return text
    .split(" | ")
    .map((part) => `\n    | ${part}`)
    .join("");
}
