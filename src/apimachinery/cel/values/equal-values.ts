import {
  CelDuration,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  isCelMap,
  semanticsOf,
  typeNameOf,
  type CelMap,
  type CelValue,
  type ListSemantics,
  type Outcome,
} from "./values.ts";
import { widthOf, type Address, type Network } from "../../ip-address.ts";
import { CelError } from "./issue.ts";

/** Compares with CEL's equality: numbers of different types can be equal, values of different kinds cannot. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  const order = compareNumbers(a, b);
  if (order !== undefined) return order === 0;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a as readonly CelValue[], b as readonly CelValue[]);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOpaque) return b instanceof CelOpaque && a.typeName === b.typeName && a.key === b.key;
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  return isCelMap(a) && isCelMap(b) && equalMaps(a, b);
}

/** Compares two numbers of any type; returns `undefined` if one is not a number, or is NaN. */
export function compareNumbers(a: CelValue, b: CelValue): number | undefined {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y)) return undefined;
  // JavaScript compares bigint and number by value.
  return x < y ? -1 : x > y ? 1 : 0;
}

function numberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof CelUint ? value.value : undefined;
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

function equalLists(a: readonly CelValue[], b: readonly CelValue[]): boolean {
  if (a.length !== b.length) return false;
  const semantics = semanticsOf(a) ?? semanticsOf(b);
  if (!semantics) return a.every((item, index) => equalValues(item, b[index]!));
  const others = groupByIdentity(b, semantics);
  return a.every((item) => others.get(identityOf(item, semantics))?.some((other) => equalValues(item, other)));
}

/** Groups the items of a set or a list map, so that two long lists are compared in the time of one pass. */
export function groupByIdentity(list: readonly CelValue[], semantics: ListSemantics): Map<string, CelValue[]> {
  const groups = new Map<string, CelValue[]>();
  for (const item of list) {
    const identity = identityOf(item, semantics);
    const group = groups.get(identity);
    if (group) group.push(item);
    else groups.set(identity, [item]);
  }
  return groups;
}

/** Returns a text that two items of a set or a list map share if they have the same identity. */
export function identityOf(item: CelValue, { type, keys }: ListSemantics): string {
  if (type === "set" || !isCelMap(item)) return textOf(item);
  return JSON.stringify(keys.map((key) => textOf(item.get(key) ?? null)));
}

/** Formats a value so that equal values have the same text. */
function textOf(value: CelValue): string {
  if (typeof value === "string") return `s${value}`;
  const number = numberOf(value);
  if (number !== undefined) return `n${Number.isInteger(number) ? BigInt(number) : number}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `l${JSON.stringify((value as readonly CelValue[]).map(textOf))}`;
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString("hex")}`;
  if (value instanceof CelTimestamp || value instanceof CelDuration) return `${typeNameOf(value)}${value.nanos}`;
  if (value instanceof CelTypeValue) return `t${value.name}`;
  if (value instanceof CelOpaque) return `${value.typeName}${value.key}`;
  if (value instanceof CelOptional) return `o${value.value === undefined ? "" : textOf(value.value)}`;
  return isCelMap(value) ? `m${JSON.stringify(membersOf(value))}` : "";
}

function membersOf(map: CelMap): string[][] {
  return map
    .keys()
    .map((key) => [textOf(key), textOf(map.get(key) ?? null)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const [x, y] = [a.get(key), b.get(key)];
    return x !== undefined && y !== undefined && equalValues(x, y);
  });
}

const surrogate = /[\ud800-\udfff]/;

/** Counts the characters of a text. */
export function lengthOf(text: string): number {
  // V8 answers at once for a text of one byte per character, which has no surrogates.
  return surrogate.test(text) ? Array.from(text).length : text.length;
}

/** Returns the size of a value for its cost: the length of a text, list or map; 1 for others. */
export function sizeOf(value: Outcome | undefined): number {
  if (typeof value === "string") return lengthOf(value);
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof CelOptional) return sizeOf(value.value);
  if (value instanceof CelOpaque) return sizeOfOpaque(value);
  return !(value instanceof CelError) && isCelMap(value) ? value.size : 1;
}

/** An address counts its bytes, a network its prefix. */
function sizeOfOpaque({ typeName, content }: CelOpaque): number {
  if (typeName === "net.IP") return widthOf(content as Address) / 8;
  return typeName === "net.CIDR" ? Math.ceil((content as Network).length / 8) : 1;
}

/** Returns the cost of reading a value with all that is in it: a tenth of the bytes of its texts, and 1 for others. */
export function treeCost(value: Outcome | undefined): number {
  if (typeof value === "string") return Math.floor(Buffer.byteLength(value) / 10);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return Math.floor(value.length / 10);
  if (Array.isArray(value))
    return (value as readonly CelValue[]).reduce<number>((sum, item) => sum + treeCost(item), 0);
  if (value instanceof CelError || !isCelMap(value)) return 1;
  return value.keys().reduce<number>((sum, key) => sum + treeCost(key) + treeCost(value.get(key)), 0);
}
