import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque } from "../values/values.ts";

const type = "kubernetes.Semver";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
}

const number = "(0|[1-9]\\d*)";
const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const strict = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`);

/**
 * Kubernetes' library of semantic versions. The second argument of `semver` allows a `v`, fewer parts and leading
 * zeros.
 */
export const semverFunctions: Readonly<Record<string, Run>> = {
  [`semver(string): ${type}`]: (text: string) => read(text, false),
  [`semver(string, bool): ${type}`]: read,
  "isSemver(string): bool": (text: string) => parse(text, false) !== undefined,
  "isSemver(string, bool): bool": (text: string, normalize: boolean) => parse(text, normalize) !== undefined,
  [`${type} -> major(): int`]: (a: CelOpaque) => versionOf(a).numbers[0],
  [`${type} -> minor(): int`]: (a: CelOpaque) => versionOf(a).numbers[1],
  [`${type} -> patch(): int`]: (a: CelOpaque) => versionOf(a).numbers[2],
  [`${type} -> compareTo(${type}): int`]: (a: CelOpaque, b: CelOpaque) => BigInt(compare(versionOf(a), versionOf(b))),
  [`${type} -> isGreaterThan(${type}): bool`]: (a: CelOpaque, b: CelOpaque) => compare(versionOf(a), versionOf(b)) > 0,
  [`${type} -> isLessThan(${type}): bool`]: (a: CelOpaque, b: CelOpaque) => compare(versionOf(a), versionOf(b)) < 0,
};

function read(text: string, normalize: boolean): CelOpaque {
  const version = parse(text, normalize);
  if (!version) throw new CelError("No Major.Minor.Patch elements found");
  // Build metadata is ignored.
  return new CelOpaque(type, `${version.numbers.join(".")}-${version.pre.join(".")}`, version);
}

function parse(text: string, normalize: boolean): Version | undefined {
  const match = strict.exec(normalize ? normalizeText(text) : text);
  if (!match) return undefined;
  const pre = match[4]?.split(".") ?? [];
  if (pre.some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)], pre };
}

function normalizeText(text: string): string {
  const [, core = "", rest = ""] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = core.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  const missing = rest === "" ? 3 - parts.length : 0;
  return `${parts.join(".")}${".0".repeat(Math.max(0, missing))}${rest}`;
}

function versionOf(value: CelOpaque): Version {
  return value.content as Version;
}

function compare(a: Version, b: Version): number {
  for (const index of [0, 1, 2] as const) {
    const [x, y] = [a.numbers[index], b.numbers[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index++) {
    const order = compareIdentifiers(a.pre[index], b.pre[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Math.sign(Number(BigInt(a) - BigInt(b)));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
