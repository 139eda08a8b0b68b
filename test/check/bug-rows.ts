import type { FaultClass } from "../../src/check/plans/plan.ts";

/** A variant of the correct operator, and what `tsop check` must say of it. */
export interface BugRow {
  readonly bug: string;
  /** The class of the finding: that of the fault that shows it, or a rule that is broken without a fault. */
  readonly finds: string;
  /** The fault class to run; absent if no fault is needed. */
  readonly fault?: FaultClass;
  /** Classes in which the same cause shows as well. */
  readonly also?: readonly string[];
  readonly withoutVerb?: string;
}
