import { BlockList, isIP, isIPv6 } from "node:net";
import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";

export const addressText = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
export const rangeText = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** Reports whether a text is a range of addresses. */
export function isRange(text: string): boolean {
  const [, address = "", digits = ""] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  return Number(digits) <= ({ 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1);
}

const special: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  "link-local": ["169.254.0.0/16", "fe80::/10"],
  "link-local multicast": ["224.0.0.0/24", "ff02::/10"],
};

/** Checks an address that traffic is sent to: loopback addresses and the like lead nowhere. */
export function addressErrors(field: string, address: string): FieldError[] {
  if (!isIP(address)) return [invalid(field, address, addressText)];
  if (address === "0.0.0.0" || address === "::")
    return [invalid(field, address, `may not be unspecified (${address})`)];
  return Object.entries(special)
    .filter(([, ranges]) => isIn(address, ranges))
    .map(([name, ranges]) => invalid(field, address, `may not be in the ${name} range (${ranges.join(", ")})`));
}

function isIn(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [start = "", bits] = range.split("/");
    list.addSubnet(start, Number(bits), familyOf(start));
  }
  return list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
