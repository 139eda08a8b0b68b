import { formatAddress, mask, widthOf } from "../../../apimachinery/ip-address.ts";
import { addressErrors, rangeErrors } from "./address-errors.ts";
import { formatRange, readAddress, readRange } from "./read-address.ts";

/** Warns of an address that is not in its canonical form. */
export function addressWarnings(field: string, text: string): string[] {
  const address = readAddress(text);
  if (!address) return [];
  const form = formatAddress(address);
  if (addressErrors(field, text).length > 0)
    return [`${field}: non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(form)}`];
  return formWarnings(`${field}: IPv6 address`, text, form);
}

/** Warns of a range of addresses that is not in its canonical form. */
export function rangeWarnings(field: string, text: string): string[] {
  const range = readRange(text);
  if (!range) return [];
  const form = formatRange(mask(range));
  if (form !== formatRange(range)) {
    const single = formatRange({ address: range.address, length: widthOf(range.address) });
    const meant = `should be ${JSON.stringify(form)} or ${JSON.stringify(single)}?`;
    return [`${field}: CIDR value ${JSON.stringify(text)} is ambiguous in this context (${meant})`];
  }
  if (rangeErrors(field, text).length > 0)
    return [`${field}: non-standard CIDR value ${JSON.stringify(text)} is invalid: use ${JSON.stringify(form)}`];
  return formWarnings(`${field}: IPv6 CIDR value`, text, form);
}

function formWarnings(what: string, text: string, form: string): string[] {
  if (form === text) return [];
  return [`${what} ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(form)})`];
}
