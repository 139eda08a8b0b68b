import type { Difference } from "../world/object-state.ts";
import type { RecordedRequest } from "../world/run-record.ts";

/** The rules that every run is held against. */
const oracles = [
  "wrong-state",
  "unstable",
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
  "api-break",
  "conversion",
] as const;

export type Oracle = (typeof oracles)[number];

/** A rule that a run has broken. */
export interface Violation {
  readonly oracle: Oracle;
  /** The object or request that shows it, in a form that is the same in all runs with this cause. */
  readonly about: string;
  /** One sentence. */
  readonly sentence: string;
  /** A likely cause. */
  readonly hint?: string | undefined;
  readonly differences?: readonly Difference[];
  /** The requests that matter. */
  readonly requests?: readonly RecordedRequest[];
  readonly lines?: readonly string[];
}

/** Names a violation by its rule and the object. */
export function keyOf({ oracle, about }: Pick<Violation, "oracle" | "about">): string {
  return `${oracle} ${about}`;
}

/** The rules about the state at the end of a step. */
const stateOracles: readonly Oracle[] = ["wrong-state", "unstable", "not-reverted"];

/** Returns a key that violations with the same cause share: a change that is not taken back is a state that is wrong. */
export function causeOf({ oracle, about }: Violation): string {
  return keyOf({ oracle: stateOracles.includes(oracle) ? "wrong-state" : oracle, about });
}
