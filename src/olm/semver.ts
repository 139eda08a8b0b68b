/** A semantic version. */
export interface Semver {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

const number = "(0|[1-9]\\d*)";
const parts = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const pattern = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${parts}))?(?:\\+(${parts}))?$`);

/** Parses a complete version such as `1.2.3-rc.1+build`; returns `undefined` for anything else. */
export function parseSemver(text: string): Semver | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const prerelease = match[4]?.split(".") ?? [];
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  const [major, minor, patch] = match.slice(1, 4).map(Number) as [number, number, number];
  return { major, minor, patch, prerelease, build: match[5]?.split(".") ?? [] };
}

/** Parses a version as people write it: also `v1.2`, ` 1`, `01.2.3`. */
export function parseTolerantSemver(text: string): Semver | undefined {
  const match = /^\s*v?([\d.]*)(.*?)\s*$/s.exec(text);
  const numbers = (match?.[1] ?? "").split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  if (numbers.length > 3 || (numbers.length < 3 && match?.[2] !== "")) return undefined;
  while (numbers.length < 3) numbers.push("0");
  return parseSemver(numbers.join(".") + (match?.[2] ?? ""));
}

/** Formats a version. */
export function formatSemver({ major, minor, patch, prerelease, build }: Semver): string {
  const tail = (mark: string, list: readonly string[]): string => (list.length > 0 ? mark + list.join(".") : "");
  return `${major}.${minor}.${patch}${tail("-", prerelease)}${tail("+", build)}`;
}

/** Compares two versions; negative if `a` is lower. Build metadata is ignored. */
export function compareSemver(a: Semver, b: Semver): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrerelease(a.prerelease, b.prerelease);
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return a.length - b.length;
}

/** Compares parts of a pre-release: numbers by value, and before words. */
function comparePart(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && otherIsNumber) return Number(a) - Number(b);
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Reports whether a text is a range of semantic versions: `>=1.0.0 <2.0.0 || 3.x`. */
export function isSemverRange(text: string): boolean {
  return text.split("||").every((alternative) => {
    const comparisons = alternative
      .replace(/([<>=!]=?)\s+/g, "$1")
      .trim()
      .split(/\s+/);
    return comparisons.every((comparison) => comparisonPattern.test(comparison));
  });
}

const version = `${number}\\.${number}\\.${number}(-[\\w.-]+)?(\\+[\\w.-]+)?`;
const comparisonPattern = new RegExp(`^([<>]=?|==?|!=?)?(${version}|${number}\\.x(\\.x)?|${number}\\.${number}\\.x)$`);
