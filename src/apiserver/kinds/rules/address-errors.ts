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
  return readAddress(text)
    ? []
    : [invalid(field, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** Checks a range of addresses. */
export function rangeErrors(field: string, text: string): FieldError[] {
  const range = readRange(text);
  const isRight = range && mask(range).address.bits === range.address.bits;
  return isRight ? [] : [invalid(field, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** Checks an address that is written in its canonical form. */
export function canonicalAddressErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  const isRight = address && formatAddress(address) === text;
  return isRight ? [] : [invalid(field, text, "must be an IP address in canonical form")];
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

/** Returns an address; undefined for other texts, and for an IPv4 address that is written as one of IPv6. */
export function readAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes("%")) return undefined;
  const address = parseAddress(text);
  return address.family === 6 && address.bits >> 32n === 0xffffn ? undefined : address;
}

/** Returns a range of addresses, with the bits beyond its prefix; undefined for other texts. */
export function readRange(text: string): Network | undefined {
  const [, host = "", length = ""] = /^([^/]*)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  const address = readAddress(host);
  return address && Number(length) <= widthOf(address) ? { address, length: Number(length) } : undefined;
}
