import type { Evaluate, Scope } from "../evaluate/comprehend.ts";
import { CostLimitError } from "../evaluate/cost-meter.ts";
import type { RunBudget } from "../evaluate/run-budget.ts";
import { CelError } from "../values/issue.ts";
import type { CelValue } from "../values/values.ts";

/** The failure of one admission expression; the others are still evaluated. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}

/** Evaluates an admission expression. Throws an ExpressionError in the server's words, or the budget's BudgetError. */
export function runAdmission(
  { expression, evaluate }: { readonly expression: string; readonly evaluate: Evaluate },
  scope: Scope | undefined,
  budget: RunBudget,
): CelValue {
  try {
    return budget.run(evaluate, scope);
  } catch (error) {
    if (!(error instanceof CelError || error instanceof CostLimitError)) throw error;
    throw new ExpressionError(`expression '${expression}' resulted in error: ${error.message}`, { cause: error });
  }
}
