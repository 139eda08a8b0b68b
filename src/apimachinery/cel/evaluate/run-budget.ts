import type { CelValue } from "../values/values.ts";
import { CostLimitError, CostMeter, type Evaluate, type Scope } from "./comprehend.ts";

/** The budget of a custom resource or a policy, and the budget of match conditions. */
const objectBudget = 10_000_000;
export const conditionBudget = 2_500_000;

/** The end of all expressions that share a budget. */
export class BudgetError extends Error {
  override readonly name: string = "BudgetError";
}

/** The cost that the expressions for one object may have together. */
export class RunBudget {
  private left: number;

  constructor(budget: number = objectBudget) {
    this.left = budget;
  }

  /**
   * Evaluates an expression. Throws its CelError, a CostLimitError if it alone costs too much, or a BudgetError if all
   * together do.
   */
  run(evaluate: Evaluate, scope: Scope | undefined): CelValue {
    const meter = new CostMeter();
    const outcome = withinLimit(evaluate, scope, meter);
    this.left -= meter.spent;
    if (this.left < 0)
      throw new BudgetError(
        "validation failed due to running out of cost budget, no further validation rules will be run",
      );
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }
}

function withinLimit(
  evaluate: Evaluate,
  scope: Scope | undefined,
  meter: CostMeter,
): ReturnType<Evaluate> | CostLimitError {
  try {
    return evaluate(scope, meter);
  } catch (error) {
    if (error instanceof CostLimitError) return error;
    throw error;
  }
}
