import type { Difference } from "../world/object-state.ts";
import type { RecordedRequest } from "../world/run-record.ts";

/** The rules that every run is held against. */
export const oracles = [
  "wrong-state",
  "not-reverted",
  "recreated",
  "data-deleted",
  "restless",
  "no-op-writes",
  "restart-writes",
  "deletion-hangs",
  "leftover",
  "breakdown",
  "outdated-status",
  "endless-error",
  "forbidden",
] as const;

export type Oracle = (typeof oracles)[number];

/** A rule that a run has broken. */
export interface Violation {
  readonly oracle: Oracle;
  /** The object or request that shows it, in a form that is the same in all runs with this cause. */
  readonly about: string;
  /** One sentence. */
  readonly sentence: string;
  readonly differences?: readonly Difference[];
  /** The requests that matter. */
  readonly requests?: readonly RecordedRequest[];
  readonly lines?: readonly string[];
}

/** Returns a key that violations with the same cause share. */
export function keyOf({ oracle, about }: Violation): string {
  return `${oracle} ${about}`;
}
