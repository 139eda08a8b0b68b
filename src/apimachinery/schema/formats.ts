import { dnsLabelProblems, isSubdomain } from "../dns-names.ts";

/** Checks for the formats that a server enforces, by their names without hyphens. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: matching(
    /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}(?:[0-9a-f]{4}\.|(?:[0-9a-f]{4}\.){7})?[0-9a-f]{4})$/i,
  ),
  uuid: uuid("[0-9a-f]", "[0-9a-f]"),
  uuid3: uuid("3", "[0-9a-f]"),
  uuid4: uuid("4", "[89ab]"),
  uuid5: uuid("5", "[89ab]"),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: matching(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matching(
    /^rgb\(\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => dnsLabelProblems(text).length === 0,
  k8slongname: isSubdomain,
};

/**
 * Checks an address, or one in angle brackets after a name. One expression for both would take time with the square of
 * the length.
 */
function isEmail(text: string): boolean {
  return (
    /^\s*(?:"[^"]+"|[^\s@<>()"]+)@[^\s@<>()]+\s*$/.test(text) ||
    /^[^<>@]*<\s*(?:"[^"]+"|[^\s@<>()"]+)@[^\s@<>()]+(?:\s*>)?\s*$/.test(text)
  );
}

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function uuid(version: string, variant: string): (text: string) => boolean {
  const hex = "[0-9a-f]";
  return matching(new RegExp(`^${hex}{8}-?${hex}{4}-?${version}${hex}{3}-?${variant}${hex}{3}-?${hex}{12}$`, "i"));
}

function isUri(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text) && !text.startsWith("/")) return false;
  const [, host = ""] = /^(?:[^/]*:)?\/\/([^/?#]*)/.exec(text) ?? [];
  return host.includes("[") === host.includes("]");
}

/** Checks a name with a top-level domain, or a single label. */
function isHostname(text: string): boolean {
  const labels = text.split(".");
  if (labels.some((label) => label.length > 63)) return false;
  if (labels.length === 1) return /^[a-z0-9\p{S}\p{L}]-?[a-z0-9\p{S}\p{L}]*$/iu.test(text);
  const last = labels.pop()!;
  const label = /^[a-z0-9\p{S}\p{L}]([-a-z0-9\p{S}\p{L}]*[a-z0-9\p{S}\p{L}])?$/iu;
  return labels.every((each) => label.test(each)) && /^\p{L}{2,63}$/u.test(last);
}

const units =
  /^(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)$|^(nano|micro|milli|sec|min|hour|day|week)/i;

/** Checks a duration of Go, or for a number with a unit anywhere in the text. */
function isDuration(text: string): boolean {
  if (/^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(([, unit = ""]) => units.test(unit));
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[-+]\d{2}:\d{2})$/.exec(text);
  return match !== null && isDate(match[1]!) && Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4]) < 61;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) < 256);
}

function isIpv6(text: string): boolean {
  if (!text.includes(":") || !/^[0-9a-f:.]+$/i.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && !isIpv4(last)) return false;
  const size = groups.length + (hasIpv4 ? 1 : 0);
  const words = hasIpv4 ? groups.slice(0, -1) : groups;
  return words.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? size < 8 : size === 8);
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

/** Checks an ISBN of ten digits, the last of which may be X. */
function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** Checks an ISBN of thirteen digits. */
function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return Array.from(digits).reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

/** Checks the number of a credit card by its length, its issuer and its check digit. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]/g, "");
  if (!issuers.test(digits)) return false;
  const doubled = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 ? doubled(+digit) : +digit), 0);
  return sum % 10 === 0;
}

const issuers =
  /^(4\d{12}(\d{3})?|5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|6(011|5\d\d)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11}|(2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}
