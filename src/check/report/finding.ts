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

/** Faults of what the operator reads: they show it an older state, so that one cause breaks one rule under each. */
const readFaults: readonly string[] = ["stale", "lag", "unobserved", "watch"] satisfies FaultClass[];

/** Returns the classes in which a cause that shows in one may show: such violations are one finding. */
export function relatedClasses(name: string): readonly string[] {
  return readFaults.includes(name) ? readFaults : [name];
}

/** Collects violations into findings: those with one cause are one. */
export class Findings {
  private readonly byKey = new Map<string, Collected>();

  add(plan: Plan, violation: Violation): void {
    const name = classOf(plan, violation);
    const key = `${isReference(plan) ? "reference" : relatedClasses(name)[0]} ${causeOf(violation)}`;
    const known = this.byKey.get(key);
    const isShorter = !known || plan.steps.length < known.plan.steps.length;
    this.byKey.set(key, {
      ...(isShorter ? { plan, violation } : known),
      classes: new Set([...(known?.classes ?? []), name]),
      plans: (known?.plans ?? 0) + 1,
    });
  }

  get all(): Finding[] {
    return [...this.byKey.values()].map(({ plan, violation, classes, plans }) => {
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

function classOf(plan: Plan, { oracle }: Violation): string {
  return isReference(plan) ? oracle : plan.faultClass;
}

function isReference({ faultClass }: Plan): boolean {
  return faultClass === "reference";
}
