import type { Pod } from "../context/simulated-kinds.ts";
import { endOf } from "./job-pods.ts";

const firstMs = 10_000;
const longestMs = 600_000;

/** The failures of a job since its last success. */
export interface BackOff {
  readonly failures: number;
  /** The time of the last one. */
  readonly lastFailure: number;
}

export const noBackOff: BackOff = { failures: 0, lastFailure: 0 };

/** Counts pods that have ended since the last time. */
export function addToBackOff(before: BackOff, ended: { succeeded: readonly Pod[]; failed: readonly Pod[] }): BackOff {
  const lastSuccess = Math.max(...ended.succeeded.map(endOf));
  const since = ended.failed.map(endOf).filter((end) => end > lastSuccess);
  const { failures, lastFailure } = ended.succeeded.length > 0 ? noBackOff : before;
  return { failures: failures + since.length, lastFailure: Math.max(lastFailure, ...since) };
}

/** Returns the delay before failed pods are replaced: ten seconds after the first failure, doubled each time. */
export function backOffLeft({ failures, lastFailure }: BackOff, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, lastFailure + Math.min(firstMs * 2 ** (failures - 1), longestMs) - now);
}
