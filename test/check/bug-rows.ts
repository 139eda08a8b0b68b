import type { FaultClass } from "../../src/check/plans/plan.ts";

/** A variant of the correct operator, and what `tsop check` must say of it. */
export interface BugRow {
  readonly bug: string;
  /** The class of the finding: the class of the fault that shows it, or the rule that is broken without a fault. */
  readonly finds: string;
  /** The faults to run; absent if none is needed. */
  readonly fault?: FaultClass;
  /** Classes in which the same cause shows as well. */
  readonly also?: readonly string[];
  /** True if the samples have an object that the operator reads. */
  readonly withInput?: true;
  /** A verb that the operator's role lacks. */
  readonly withoutVerb?: string;
}

const byFault = (fault: FaultClass, bug: string, ...also: readonly string[]): BugRow => ({
  bug,
  finds: fault,
  fault,
  also,
});
const byRule = (finds: string, bug: string, ...also: readonly string[]): BugRow => ({ bug, finds, also });

export const bugRows: readonly BugRow[] = [
  byFault("crash", "status-before-children", "lost-answer", "refused", "drift", "exploration", "not-reverted"),
  byFault("crash", "finalizer-removed-first", "refused", "lost-answer"),
  byFault("crash", "generated-name-in-status", "lost-answer", "refused", "lag"),
  byFault("crash", "finalizer-needs-its-object", "lost-answer", "refused", "deletion"),
  byFault("restart", "password-renewed-at-start", "crash", "stale", "handover"),
  byFault("restart", "generated-name-in-memory", "crash", "lost-answer", "stale", "handover"),
  byFault("restart", "status-with-time", "handover", "stale"),
  byFault("lost-answer", "already-exists-is-fatal", "crash", "refused", "drift"),
  byFault("refused", "conflict-swallowed", "lost-answer", "crash"),
  byFault("refused", "update-error-swallowed", "lost-answer", "crash"),
  byFault("refused", "terminal-on-any-refusal", "drift", "deletion"),
  byFault("drift", "created-only-in-memory", "refused", "lost-answer", "crash"),
  byFault("drift", "owned-kind-not-watched"),
  byFault("drift", "service-compared-with-status"),
  byFault("drift", "autoscaler-not-watched"),
  byFault("stale", "orphans-deleted-at-start"),
  byFault("stale", "successor-deleted"),
  byFault("lag", "existence-known-from-events", "stale", "crash", "watch", "unobserved"),
  byFault("lag", "unbound-claim-is-lost", "watch", "unobserved", "outage", "stale", "restart", "crash"),
  byFault("watch", "watch-loop-ends", "unobserved", "outage"),
  byFault("outage", "connection-error-ends-the-loop"),
  byFault("unobserved", "rollout-must-be-seen", "crash", "restart", "watch", "lag"),
  byFault("handover", "leader-never-steps-down"),
  byFault("deletion", "finalizer-too-late", "crash"),
  byFault("exploration", "settings-never-removed"),
  byFault("exploration", "annotation-only-at-creation"),
  byFault("exploration", "crash-without-monitoring"),
  byFault("exploration", "error-at-an-enum-value"),
  byFault("exploration", "zero-is-unset"),
  byFault("exploration", "description-as-label"),
  byFault("exploration", "claim-deleted-at-zero"),
  byFault("exploration", "optional-service-not-removed"),
  { ...byFault("exploration", "input-not-watched"), withInput: true },
  byFault("exploration", "port-noted-once"),
  byFault("upgrade", "finalizer-renamed", "rollback"),
  byFault("upgrade", "object-renamed"),
  byFault("upgrade", "label-for-new-objects"),
  byFault("upgrade", "selector-changed"),
  byFault("rollback", "second-finalizer"),
  byRule("wrong-state", "created-but-never-updated"),
  byRule("not-reverted", "replicas-only-grow", "wrong-state"),
  byRule("leftover", "owner-reference-missing"),
  byRule("leftover", "registration-not-removed"),
  byRule("deletion-hangs", "finalizer-never-removed"),
  byRule("restless", "status-counts-reconciles"),
  byRule("restless", "replicas-against-autoscaler"),
  byRule("no-op-writes", "no-op-writes"),
  byRule("outdated-status", "observed-generation-not-updated"),
  byRule("outdated-status", "size-noted-once"),
  byRule("recreated", "recreated-on-change"),
  { ...byRule("forbidden", "verb-missing-in-role", "deletion-hangs", "endless-error"), withoutVerb: "delete" },
];

/** A variant whose bug only schedules show, and the numbers of faults with which it shows: none if delays are enough. */
export interface ScheduleRow {
  readonly bug: string;
  readonly needs: readonly (0 | 1 | 2)[];
  /** True if processes repeat the plan that was found, which takes them minutes. */
  readonly byProcesses?: true;
}

export const scheduleRows: readonly ScheduleRow[] = [
  { bug: "second-refusal-is-final", needs: [2] },
  { bug: "second-try-ignored", needs: [2] },
  // An early deletion or a deletion that the operator sees late.
  { bug: "retry-outlives-its-object", needs: [1, 2] },
  { bug: "recovery-not-noted", needs: [2] },
  { bug: "cleaning-only-in-memory", needs: [2] },
  { bug: "deletion-given-up", needs: [2] },
  { bug: "writes-overtake-each-other", needs: [0] },
  // It shows only when ten seconds have passed.
  { bug: "forgets-after-a-restart", needs: [1] },
  // The lease expires during a write, which another fault can make a later one.
  { bug: "note-of-a-former-leader", needs: [1, 2], byProcesses: true },
  // A handover, or another start, and a write that fails.
  { bug: "first-failure-after-a-start-ignored", needs: [2] },
  // Clocks are put forward.
  { bug: "age-in-local-time", needs: [0] },
];

/** A correct variant, and the field that is changed in its run. */
export interface NearMissRow {
  readonly variant: string;
  readonly change: object;
}

export const nearMissRows: readonly NearMissRow[] = [
  { variant: "size-in-status", change: { replicas: 3 } },
  { variant: "first-size-in-status", change: { replicas: 3 } },
  { variant: "size-of-claim-in-status", change: { storage: { size: "2Gi" } } },
  { variant: "fixed-memory-in-status", change: { memoryMB: 65 } },
];
