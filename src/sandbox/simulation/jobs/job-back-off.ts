import type { Pod } from "../context/simulated-kinds.ts";

const firstMs = 10_000;
const longestMs = 600_000;

/** Returns the delay before failed pods are replaced: ten seconds after the first failure, doubled each time. */
export function backOffLeft(pods: readonly Pod[], now: number): number {
  const ended = pods.filter(isEnded).toSorted((a, b) => endOf(a) - endOf(b));
  const lastSuccess = ended.findLastIndex(({ status }) => status?.phase === "Succeeded");
  const failures = ended.slice(lastSuccess + 1);
  const last = failures.at(-1);
  if (!last) return 0;
  const wait = Math.min(firstMs * 2 ** (failures.length - 1), longestMs);
  return Math.max(0, endOf(last) + wait - now);
}

function isEnded({ metadata, status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed" || metadata.deletionTimestamp !== undefined;
}

/** Returns the time when the last container of a pod stopped, or else its deletion. */
function endOf({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(finishedAt(state)));
  const known = ends.filter((end) => !Number.isNaN(end));
  if (known.length > 0) return Math.max(...known);
  return Date.parse(metadata.deletionTimestamp ?? metadata.creationTimestamp ?? "") || 0;
}

function finishedAt(state: object | undefined): string {
  const { terminated } = (state ?? {}) as { terminated?: { finishedAt?: string } };
  return terminated?.finishedAt ?? "";
}
