import type { FaultClass, Plan } from "../plans/plan.ts";
import { causeOf, type Violation } from "../oracles/violation.ts";

/** A cause of trouble, with the shortest run that shows it. */
export interface Finding {
  readonly id: string;
  /** The fault that shows it; for one that needs no fault, the rule that is broken. */
  readonly class: string;
  /** Other classes of faults that show it. */
  readonly also: readonly string[];
  readonly plan: Plan;
  readonly violation: Violation;
  /** The number of plans that show it. */
  readonly plans: number;
}

/** Faults of the operator's reads: they show it an older state, so that one cause breaks one rule under each. */
const readFaults: readonly string[] = ["stale", "lag", "unobserved", "watch"] satisfies FaultClass[];

/** Returns the classes in which a cause that shows in one may show: such violations are one finding. */
export function relatedClasses(name: string): readonly string[] {
  return readFaults.includes(name) ? readFaults : [name];
}

/** The number of other faults that show the same cause. */
const manyFaults = 3;

/** Collects violations into findings: those with one cause are one. */
export class Findings {
  /** By cause, and then by the first of the related classes that show it. */
  private readonly byCause = new Map<string, Map<string, Collected>>();

  add(plan: Plan, violation: Violation): void {
    const name = classOf(plan, violation);
    const cause = causeOf(violation);
    const groups = this.byCause.get(cause) ?? new Map<string, Collected>();
    const group = isReference(plan) ? "reference" : relatedClasses(name)[0]!;
    const one = { plan, violation, classes: new Set([name]), plans: 1 };
    const known = groups.get(group);
    groups.set(group, known ? join(known, one) : one);
    this.byCause.set(cause, groups);
  }

  get all(): Finding[] {
    const collected = [...this.byCause.values()].flatMap((groups) =>
      groups.size >= manyFaults ? [[...groups.values()].reduce(join)] : [...groups.values()],
    );
    return collected.map(({ plan, violation, classes, plans }) => {
      const name = classOf(plan, violation);
      const id = isReference(plan) ? `${violation.oracle}:${violation.about}` : plan.id;
      return { id, class: name, also: [...classes].filter((other) => other !== name), plan, violation, plans };
    });
  }
}

interface Collected {
  /** The shortest one. */
  readonly plan: Plan;
  readonly violation: Violation;
  readonly classes: ReadonlySet<string>;
  readonly plans: number;
}

function join(one: Collected, other: Collected): Collected {
  return {
    ...(other.plan.steps.length < one.plan.steps.length ? other : one),
    classes: new Set([...one.classes, ...other.classes]),
    plans: one.plans + other.plans,
  };
}

function classOf(plan: Plan, { oracle }: Violation): string {
  return isReference(plan) ? oracle : plan.faultClass;
}

function isReference({ faultClass }: Plan): boolean {
  return faultClass === "reference";
}
