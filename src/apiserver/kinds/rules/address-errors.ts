import { isIP } from "node:net";
import {
  type Address,
  contains,
  formatAddress,
  mask,
  type Network,
  parseAddress,
  widthOf,
} from "../../../apimachinery/ip-address.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";

/** Checks an address. */
export function addressErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  const isRight = address && withoutZeros(text) === text && !isMapped(text, address);
  return isRight ? [] : [invalid(field, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** Checks a range of addresses. */
export function rangeErrors(field: string, text: string): FieldError[] {
  const range = readRange(text);
  const [host = "", length = ""] = text.split("/");
  const isRight =
    range &&
    withoutZeros(host) === host &&
    String(Number(length)) === length &&
    !isMapped(host, range.address) &&
    mask(range).address.bits === range.address.bits;
  return isRight ? [] : [invalid(field, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** Checks an address that is written in its canonical form. */
export function canonicalAddressErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  const isRight = address && !isMapped(text, address) && formatAddress(address) === text;
  return isRight ? [] : [invalid(field, text, "must be an IP address in canonical form")];
}

function isMapped(text: string, { family }: Address): boolean {
  return family === 4 && text.includes(":");
}

/** Loopback and link-local addresses, to which no traffic can be sent from elsewhere. */
const local = ["127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/10", "224.0.0.0/24", "ff02::/10"];

/** Checks an address to which traffic can be sent. */
export function targetErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  const isLocal = address && (address.bits === 0n || local.some((range) => contains(readRange(range)!, address)));
  return isLocal
    ? [invalid(field, text, "must not be unspecified, loopback or link-local")]
    : addressErrors(field, text);
}

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
function withoutZeros(text: string): string {
  return text.replace(/(?<![\d.])\d+(?:\.\d+){3}$/, (quad) => quad.split(".").map(Number).join("."));
}
