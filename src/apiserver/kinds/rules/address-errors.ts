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

const addressText = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const rangeText = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** Checks an address. */
export function addressErrors(field: string, text: string): FieldError[] {
  const problem = addressProblem(text);
  return problem === undefined ? [] : [invalid(field, text, problem)];
}

/** Checks a range of addresses. */
export function rangeErrors(field: string, text: string): FieldError[] {
  const problem = rangeProblem(text);
  return problem === undefined ? [] : [invalid(field, text, problem)];
}

/** Checks an address that is written in its canonical form. */
export function canonicalAddressErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  return [...addressErrors(field, text), ...(address ? formErrors(field, text, formatAddress(address)) : [])].slice(
    0,
    1,
  );
}

function formErrors(field: string, text: string, form: string): FieldError[] {
  return form === text ? [] : [invalid(field, text, `must be in canonical form (${JSON.stringify(form)})`)];
}

function addressProblem(text: string): string | undefined {
  const address = readAddress(text);
  if (!address) return addressText;
  if (withoutZeros(text) !== text) return "must not have leading 0s";
  return isMapped(text, address) ? "must not be an IPv4-mapped IPv6 address" : undefined;
}

function rangeProblem(text: string): string | undefined {
  const range = readRange(text);
  const [host = "", length = ""] = text.split("/");
  if (!range) return rangeText;
  if (withoutZeros(host) !== host || String(Number(length)) !== length)
    return "must not have leading 0s in IP or prefix length";
  if (isMapped(host, range.address)) return "must not have an IPv4-mapped IPv6 address";
  return mask(range).address.bits === range.address.bits
    ? undefined
    : "must not have bits set beyond the prefix length";
}

function isMapped(text: string, { family }: Address): boolean {
  return family === 4 && text.includes(":");
}

const special = {
  loopback: ["127.0.0.0/8", "::1/128"],
  "link-local": ["169.254.0.0/16", "fe80::/10"],
  "link-local multicast": ["224.0.0.0/24", "ff02::/10"],
};

/** Checks an address, to which traffic can be sent. */
export function targetErrors(field: string, text: string): FieldError[] {
  const errors = addressErrors(field, text);
  return errors.length > 0 ? errors : reachErrors(field, text);
}

/** Checks whether traffic can be sent to an address: loopback addresses and the like lead nowhere. */
function reachErrors(field: string, text: string): FieldError[] {
  const address = readAddress(text);
  if (!address) return [];
  if (address.bits === 0n) return [invalid(field, text, `may not be unspecified (${text})`)];
  return Object.entries(special)
    .filter(([, ranges]) => ranges.some((range) => contains(readRange(range)!, address)))
    .map(([name, ranges]) => invalid(field, text, `may not be in the ${name} range (${ranges.join(", ")})`));
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

/** Reports whether no two of these addresses or ranges are of the same family; each may be a text that is neither. */
export function haveOtherFamilies(texts: readonly string[]): boolean {
  const families = texts.map((text) => (readAddress(text) ?? readRange(text)?.address)?.family).filter(Boolean);
  return new Set(families).size === families.length;
}
