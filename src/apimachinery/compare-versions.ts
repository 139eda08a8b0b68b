import { compareText } from "./compare-text.ts";

/**
 * Compares versions in Kubernetes' order of preference: GA before beta before alpha, newer before older, other names
 * last in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return left ? -1 : right ? 1 : compareText(a, b);
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

interface ParsedVersion {
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

function parseVersion(version: string): ParsedVersion | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const stability = match[2] === "alpha" ? 1 : match[2] === "beta" ? 2 : 3;
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
