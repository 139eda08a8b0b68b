import { groupBy } from "../../apimachinery/group-by.ts";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { RecordedRequest, RunRecord } from "../world/run-record.ts";
import { describeFault } from "./describe-fault.ts";
import { describeWrite, writesOf, type Write } from "./make-plans.ts";
import { stepsTo } from "./steps-to.ts";
import {
  hasFault,
  type Fault,
  type FaultClass,
  isUsual,
  type Plan,
  type PlannedStep,
  type RefusalReason,
  type Schedule,
  type WritePoint,
  usualTimes,
} from "./plan.ts";

/** What plans are drawn from. */
export interface Drawn {
  readonly scenario: Scenario;
  readonly reference: RunRecord;
  /** The plans with one fault. */
  readonly singles: readonly Plan[];
}

/** The time for which each step must keep its state: longer than most intervals and backoffs. */
export const staysMs = 30_000;

/** Draws plans with up to two faults that happen at other times than usual; each number stands for one plan. */
export class PlanDrawer {
  private readonly drawn: Drawn;
  private readonly steps: readonly PlannedStep[];
  /** The operator's writes, by step and signature. */
  private readonly writes: readonly (readonly Write[])[];
  /** The faults of single plans that are not at a write. */
  private readonly others: readonly Fault[];
  private readonly deletions: readonly Plan[];

  constructor(drawn: Drawn) {
    this.drawn = drawn;
    this.steps = drawn.scenario.steps.map((step) => ({ ...step, reaches: step.name }));
    this.writes = [...groupBy(writesOf(drawn.reference), ({ at }) => `${at.step}\n${at.signature}`).values()];
    this.others = drawn.singles.flatMap(({ faults = [] }) => faults.filter(isPaired));
    this.deletions = drawn.singles.filter((plan) => hasFault(plan, "deletion"));
  }

  draw(number: number, seed: number): Plan {
    const random = seededRandom(Math.imul(seed, 0x9e3779b1) + number);
    const deletion = this.deletions.length > 0 && random() < 0.1 ? pick(this.deletions, random) : undefined;
    const names = (deletion?.steps ?? this.steps).map(({ name }) => name);
    const chosen = [...(deletion?.faults ?? [this.fault(names, random)])];
    if (random() < 0.85) chosen.push(this.second(chosen, names, random));
    const schedule: Schedule = {
      seed: Math.floor(random() * 2 ** 32),
      delayMs: pick([2, 2, 20, 100], random),
      lateMs: pick([0, 0, 100, 400], random),
      computingMs: pick([0, 0, 5, 50], random),
    };
    return this.plan(`schedule:${number}`, chosen, schedule);
  }

  /** Makes the plan of some faults. */
  plan(id: string, chosen: readonly Fault[], schedule: Schedule): Plan {
    // Two faults of a sort would hide each other, or meet the same write.
    const different = [...new Map(chosen.map((fault) => [keyOf(fault), fault])).values()];
    // The other fault meets requests before they fail because the server is away.
    const faults = different.toSorted((a, b) => Number(a.type === "outage") - Number(b.type === "outage"));
    const [only, ...more] = faults;
    const description = [...faults.map((fault) => this.describe(fault)), ...describeSchedule(schedule)].join("; ");
    return {
      id,
      faultClass: only && more.length === 0 && isUsual(schedule) ? classOf(only) : "schedule",
      description,
      steps: this.stepsFor(faults),
      schedule,
      staysMs,
      ...(faults.length > 0 && { faults }),
    };
  }

  /** Draws a fault that acts in one of some steps. */
  private fault(steps: readonly string[], random: () => number): Fault {
    const writes = this.writes.filter(([first]) => steps.includes(first!.at.step));
    const others = this.others.filter((fault) => !("step" in fault) || steps.includes(fault.step));
    // A write is where most goes wrong.
    if (writes.length === 0 || random() < 0.35) return varied(pick(others, random), random);
    const { at, request } = pick(pick(writes, random), random);
    // A write that is tried again has further occurrences.
    return this.faultAt(random() < 0.25 ? next(at) : at, request, random);
  }

  /** Draws a fault that comes after another one: often at the same write, when it is tried again, or in the same step. */
  private second([first]: readonly Fault[], steps: readonly string[], random: () => number): Fault {
    const near = random();
    if (!first || !("at" in first) || near > 0.7) return this.fault(steps, random);
    const { step, signature } = first.at;
    if (near > 0.35) return this.fault([step], random);
    const { request } = this.writes.flat().find(({ at }) => at.step === step && at.signature === signature)!;
    return this.faultAt(next(first.at), request, random);
  }

  private faultAt(at: WritePoint, { verb }: RecordedRequest, random: () => number): Fault {
    const reasons: readonly RefusalReason[] = ["InternalError", "TooManyRequests", "Timeout", "Conflict"];
    return pick<Fault>(
      [
        { type: "crash", at, when: "before" },
        { type: "crash", at, when: "after" },
        { type: "lost-answer", at },
        { type: "outage", at },
        ...(this.drawn.reference.leases ? [{ type: "lease-expiry", at } as const] : []),
        ...reasons
          .filter((reason) => reason !== "Conflict" || verb !== "create")
          .map((reason): Fault => ({ type: "refused", at, reason })),
      ],
      random,
    );
  }

  /** Returns the steps to the last one in which a fault acts. */
  private stepsFor(faults: readonly Fault[]): readonly PlannedStep[] {
    const { steps } = this;
    const deletion = this.deletions.find(({ faults: own = [] }) => own.some((fault) => faults.includes(fault)));
    if (deletion) return deletion.steps;
    const names = faults.flatMap((fault) =>
      "at" in fault ? [fault.at.step] : "step" in fault ? [lastStepOf(fault, steps)] : [],
    );
    const last = steps.findLast(({ name }) => names.includes(name));
    return last && names.length === faults.length ? stepsTo(last.name, steps, this.drawn.reference) : steps;
  }

  private describe(fault: Fault): string {
    if (!("at" in fault)) return describeFault(fault);
    const { step, signature, occurrence } = fault.at;
    const write = this.writes.flat().find(({ at }) => at.step === step && at.signature === signature);
    return describeFault(
      fault,
      write ? `${describeWrite(write.request)}${occurrence > 1 ? ` (number ${occurrence})` : ""}` : signature,
    );
  }
}

function describeSchedule({ delayMs, lateMs, computingMs }: Schedule): string[] {
  return [
    ...(delayMs > usualTimes.delayMs ? [`messages take up to ${delayMs} ms`] : []),
    ...(lateMs > 0 ? [`each watch is up to ${lateMs} ms late`] : []),
    ...(computingMs > 0 ? [`the operator computes for up to ${computingMs} ms`] : []),
  ];
}

/** Returns the class of the plans with a fault. */
function classOf({ type }: Fault): FaultClass {
  if (type === "lease-expiry") return "handover";
  return type === "time-travel" || type === "recreated" ? "stale" : type;
}

const pairedTypes: readonly Fault["type"][] = [
  "lag",
  "watch",
  "unobserved",
  "restart",
  "handover",
  "stale",
  "time-travel",
];

function isPaired({ type }: Fault): boolean {
  return pairedTypes.includes(type);
}

function next(at: WritePoint): WritePoint {
  return { ...at, occurrence: at.occurrence + 1 };
}

function varied(fault: Fault, random: () => number): Fault {
  return fault.type === "lag" ? { ...fault, delayMs: pick([100, 300, 500, 1_000], random) } : fault;
}

/** Names what only one fault can act on: a write, or all that is not one. */
function keyOf(fault: Fault): string {
  return "at" in fault ? JSON.stringify(fault.at) : "others";
}

/** Returns the last step that a fault needs. */
function lastStepOf(fault: Fault & { readonly step: string }, steps: readonly PlannedStep[]): string {
  const index = steps.findIndex(({ name }) => name === fault.step);
  const next = steps[index + 1];
  const needsNext = fault.type === "stale" || (fault.type === "watch" && next?.action.type !== "delete");
  return (needsNext && next ? next : steps[index]!).name;
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]!;
}
