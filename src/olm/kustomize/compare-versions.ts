/** Kubernetes' order of API versions: alpha, beta, stable; then by number. What is no version comes first, by text. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined) || (a < b ? 1 : a > b ? -1 : 0);
  return left.stage - right.stage || left.major - right.major || left.minor - right.minor;
}

function rank(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const stage = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
