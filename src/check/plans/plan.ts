import type { Conversion } from "../conversion/conversion.ts";
import type { Action, ObjectRef, Step } from "../scenario/scenario.ts";

/** The ways in which a run differs from the reference. */
export const faultClasses = [
  "crash",
  "lost-answer",
  "refused",
  "stale",
  "lag",
  "unobserved",
  "watch",
  "outage",
  "restart",
  "handover",
  "drift",
  "deletion",
  "exploration",
  "upgrade",
  "rollback",
  "conversion",
  "schedule",
] as const;

/** A class of faults that `tsop check` causes. */
export type FaultClass = (typeof faultClasses)[number];

/** One of the operator's writes: the n-th with this signature in a step. */
export interface WritePoint {
  readonly step: string;
  /** `create apps/deployments default/memcached` */
  readonly signature: string;
  readonly occurrence: number;
}

/** The refusals that a server gives now and then. */
export type RefusalReason = "Conflict" | "TooManyRequests" | "InternalError" | "Timeout";

/** Something that goes wrong during a run. */
export type Fault =
  /** The operator is killed just before or just after a write is committed, and starts again. */
  | { readonly type: "crash"; readonly at: WritePoint; readonly when: "before" | "after" }
  /** The write is done, and its connection ends without an answer. */
  | { readonly type: "lost-answer"; readonly at: WritePoint }
  | { readonly type: "refused"; readonly at: WritePoint; readonly reason: RefusalReason }
  /** The operator is killed at the end of a step; the next one happens before it starts from an older state. */
  | { readonly type: "stale"; readonly step: string }
  /** The operator starts again at the end of a step, with a state from before the step. */
  | { readonly type: "time-travel"; readonly step: string }
  /** The operator starts again at the end of a step, with the state in which the last custom resources were deleted. */
  | { readonly type: "recreated"; readonly step: string }
  /** Watches show each change later: all watches, or the watches of one path. */
  | { readonly type: "lag"; readonly delayMs: number; readonly watch?: string }
  /** Watches show nothing during a step, and only its result afterwards. */
  | { readonly type: "unobserved"; readonly step: string }
  /** All watches end during a step; with `expired`, they cannot be resumed. */
  | { readonly type: "watch"; readonly step: string; readonly expired: boolean }
  /** The server ends all connections at a write, which is lost, and accepts none for a moment. */
  | { readonly type: "outage"; readonly at: WritePoint }
  /** The operator starts again at the end of a step. */
  | { readonly type: "restart"; readonly step: string }
  /** The operator is frozen at the start of a step, another one takes over, then the first one continues. */
  | { readonly type: "handover"; readonly step: string }
  /** The operator is frozen while a write is under way, which is committed when another one has taken over. */
  | { readonly type: "lease-expiry"; readonly at: WritePoint }
  /** The custom resources that the scenario deletes are deleted when the operator has made a write. */
  | { readonly type: "deletion"; readonly at: WritePoint; readonly targets: readonly ObjectRef[] };

/** Decides what happens by chance in a simulated run. The times are in milliseconds; each drawn one is at most as long. */
export interface Schedule {
  readonly seed: number;
  /** For a request, a response or an event on its way. */
  readonly delayMs: number;
  /** For all events of a watch: each watch has its own delay. */
  readonly lateMs: number;
  /** For the operator to handle a response or an event: nothing else of it runs meanwhile. */
  readonly computingMs: number;
}

/** The times of a run in which everything takes as long as usual. */
export const usualTimes: Omit<Schedule, "seed"> = { delayMs: 2, lateMs: 0, computingMs: 0 };

export function isUsual(times: Schedule): boolean {
  const names = Object.keys(usualTimes) as (keyof typeof usualTimes)[];
  return names.every((name) => times[name] === usualTimes[name]);
}

/** A run with a fault, or with other steps, and the states that it must reach. */
export interface Plan {
  /** Unique and stable, such as `crash:after:create:create apps/v1/namespaces/default/deployments#1`. */
  readonly id: string;
  readonly faultClass: FaultClass | "reference";
  /** Describes the difference: "the operator is killed just after it has created …". */
  readonly description: string;
  readonly steps: readonly PlannedStep[];
  /** The conversion between two versions that it consists of. */
  readonly conversion?: Conversion;
  /** All that goes wrong in it; one fault, except in a schedule. */
  readonly faults?: readonly Fault[] | undefined;
  /** The time in milliseconds for which each step must keep its state, once it has reached it. */
  readonly staysMs?: number;
  /** By default, chance follows from the seed of the check and the ID. */
  readonly schedule?: Schedule;
  /** The time of day at which a simulated run begins, in milliseconds since 1970; by default, the time of the check. */
  readonly begins?: number;
  /** True if the change turns off what the sample asks for: nothing of that may be left. */
  readonly turnsOff?: true;
  /** The creation of the custom resource as a change leaves it: it must lead to the same state. */
  readonly born?: Step;
  /** True if its steps do not justify deleting data: they change a number, such as a size, and change it back. */
  readonly keepsData?: boolean;
}

export interface PlannedStep extends Omit<Step, "action"> {
  /** An act of a user, or the other version of the operator takes the place of the one that runs. */
  readonly action: Action | { readonly type: "upgrade"; readonly isRolling?: boolean };
  /** The step of the reference whose final state this one must reach; absent if any state is right. */
  readonly reaches?: string;
}

/** The name under which the work after a restart, or a handover, is recorded. */
export const restartStep = "restart";

/** Reports whether a fault of a type is among those of a plan. */
export function hasFault({ faults = [] }: Plan, type: Fault["type"]): boolean {
  return faults.some((fault) => fault.type === type);
}

/** Reports whether a step is an act of a user. */
export function isUserStep(step: PlannedStep): step is PlannedStep & Step {
  return step.action.type !== "upgrade";
}
