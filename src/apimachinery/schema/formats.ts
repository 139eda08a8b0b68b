/** Checks for the formats that a server enforces. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": isDateTime,
  datetime: isDateTime,
  date: isDate,
  duration: (text) =>
    /^([-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)\s*)+$/.test(text) ||
    /^\d+ (days?|weeks?|hours?|minutes?|seconds?)$/.test(text),
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  ipv4: isIpv4,
  ipv6: isIpv6,
  ip: (text) => isIpv4(text) || isIpv6(text),
  cidr: isCidr,
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
  email: (text) => /^[^\s@<>()]+@[^\s@<>()]+$/.test(text),
  hostname: (text) =>
    text.length <= 253 && /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/i.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text) || text.startsWith("/"),
};

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[-+]\d{2}:\d{2})$/.exec(text);
  return match !== null && isDate(match[1]!) && Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4]) < 61;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
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
