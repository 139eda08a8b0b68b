/**
 * A static type of CEL. `size` limits the length of a value (characters, items) if a schema does; costs depend on it.
 */
export type CelType =
  | { readonly kind: SimpleKind; readonly size?: number }
  | { readonly kind: "list"; readonly element: CelType; readonly size?: number }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType; readonly size?: number }
  | { readonly kind: "optional"; readonly element: CelType; readonly size?: number }
  | { readonly kind: "type"; readonly of: CelType; readonly size?: number }
  | {
      readonly kind: "object";
      readonly name: string;
      readonly fields: ReadonlyMap<string, CelField>;
      readonly size?: number;
    }
  | { readonly kind: "opaque"; readonly name: string; readonly size?: number }
  | { readonly kind: "parameter"; readonly name: string; readonly size?: number };

type SimpleKind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "timestamp"
  | "duration"
  | "dyn"
  | "error";

/** A field of an object; `name` is its name in JSON, which CEL may have to escape. */
export interface CelField {
  readonly name: string;
  readonly type: CelType;
}

export const dynType: CelType = { kind: "dyn" };
export const boolType: CelType = { kind: "bool" };
export const intType: CelType = { kind: "int" };
export const errorType: CelType = { kind: "error" };

/** Formats a type as in cel-go's messages: `list(string)`, `map(string, dyn)`. */
export function formatType(type: CelType): string {
  if (type.kind === "list") return `list(${formatType(type.element)})`;
  if (type.kind === "map") return `map(${formatType(type.key)}, ${formatType(type.value)})`;
  if (type.kind === "optional") return `optional_type(${formatType(type.element)})`;
  if (type.kind === "type") return `type(${formatType(type.of)})`;
  if (type.kind === "error") return "!error!";
  return "name" in type ? type.name : type.kind;
}

/** Returns the type with its inner types replaced. */
export function mapTypes(type: CelType, change: (inner: CelType) => CelType): CelType {
  if (type.kind === "list" || type.kind === "optional") return { ...type, element: change(type.element) };
  if (type.kind === "map") return { ...type, key: change(type.key), value: change(type.value) };
  return type.kind === "type" ? { ...type, of: change(type.of) } : type;
}

/** Parses the type in a signature such as `map<string, list<A>>`; a single capital letter is a type parameter. */
export function parseType(text: string): CelType {
  const open = text.indexOf("<");
  if (open > 0) {
    const [first = dynType, second = dynType] = splitTypes(text.slice(open + 1, -1)).map(parseType);
    const outer = text.slice(0, open);
    if (outer === "list" || outer === "optional") return { kind: outer, element: first };
    return outer === "map" ? { kind: "map", key: first, value: second } : { kind: "type", of: first };
  }
  if (/^[A-Z]$/.test(text)) return { kind: "parameter", name: text };
  if (text.includes(".")) return { kind: "opaque", name: text };
  return { kind: text as SimpleKind };
}

/** Splits `string, map<A, B>` at the commas outside of brackets. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "<") depth++;
    if (text[i] === ">") depth--;
    if (i < text.length && (text[i] !== "," || depth > 0)) continue;
    const part = text.slice(start, i).trim();
    if (part) parts.push(part);
    start = i + 1;
  }
  return parts;
}
