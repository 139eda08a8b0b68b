import type { Plan } from "../plans/plan.ts";
import { keyOf, type Violation } from "../oracles/violation.ts";

/** A cause of trouble, with the shortest run that shows it. */
export interface Finding {
  readonly id: string;
  /** The fault that shows it; for one that needs no fault, the rule that is broken. */
  readonly class: string;
  readonly plan: Plan;
  readonly violation: Violation;
  /** The number of plans that show it. */
  readonly plans: number;
}

/** Collects violations into findings: those with one cause are one. */
export class Findings {
  private readonly byKey = new Map<string, { finding: Finding; plans: number }>();

  add(plan: Plan, violation: Violation): void {
    const key = `${plan.faultClass === "reference" ? "" : plan.faultClass} ${keyOf(violation)}`;
    const known = this.byKey.get(key);
    const plans = (known?.plans ?? 0) + 1;
    const isShorter = !known || plan.steps.length < known.finding.plan.steps.length;
    const finding: Finding = isShorter ? findingOf(plan, violation) : known.finding;
    this.byKey.set(key, { finding, plans });
  }

  get all(): Finding[] {
    return [...this.byKey.values()].map(({ finding, plans }) => ({ ...finding, plans }));
  }
}

function findingOf(plan: Plan, violation: Violation): Finding {
  const isReference = plan.faultClass === "reference";
  return {
    id: isReference ? `${violation.oracle}:${violation.about}` : plan.id,
    class: isReference ? violation.oracle : plan.faultClass,
    plan,
    violation,
    plans: 1,
  };
}
