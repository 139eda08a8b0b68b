import { isIP } from "node:net";
import { type Address, type Network, parseAddress, widthOf } from "../../../apimachinery/ip-address.ts";

/** Returns an address, which may have zeros before its numbers, or be an IPv4 address in IPv6; undefined for other texts. */
export function readAddress(text: string): Address | undefined {
  const plain = withoutZeros(text);
  if (isIP(plain) === 0 || plain.includes("%")) return undefined;
  const address = parseAddress(plain);
  const isMapped = address.family === 6 && address.bits >> 32n === 0xffffn;
  return isMapped ? { family: 4, bits: address.bits & 0xffff_ffffn } : address;
}

/** Returns a range of addresses, with the bits beyond its prefix; undefined for other texts. */
export function readRange(text: string): Network | undefined {
  const [, host = "", digits = ""] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  const address = readAddress(host);
  if (!address) return undefined;
  const written = host.includes(":") ? 128 : 32;
  if (Number(digits) > written) return undefined;
  // An IPv4 address in IPv6 is the last part of it.
  return { address, length: Math.max(0, Number(digits) - (written - widthOf(address))) };
}

/** Returns an address without the zeros that some programs read as octal numbers. */
export function withoutZeros(text: string): string {
  return text.replace(/(?<![\d.])\d+(?:\.\d+){3}$/, (quad) => quad.split(".").map(Number).join("."));
}

/** Reports whether no two of these addresses or ranges are of the same family; each may be a text that is neither. */
export function haveOtherFamilies(texts: readonly string[]): boolean {
  const families = texts.map((text) => (readAddress(text) ?? readRange(text)?.address)?.family).filter(Boolean);
  return new Set(families).size === families.length;
}
