import { widthOf, type Address, type Network } from "../../ip-address.ts";
import { CelError } from "./issue.ts";
import { CelOpaque, CelOptional, isCelMap, type CelValue, type Outcome } from "./values.ts";

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
