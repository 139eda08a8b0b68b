import { scopeOf, type Program } from "../../cel/compile-rule.ts";
import type { CelValue } from "../../cel/values/values.ts";
import { messageOf } from "../../errors/message-of.ts";
import { admissionVariables, compileAdmission } from "../../cel/admission/admission-expression.ts";
import type { MatchCondition } from "../call-webhook.ts";

const programs = new Map<string, Program>();

/** Whether all conditions hold. Throws an Error for those that can't be evaluated, unless another one is false. */
export function holdConditions(
  conditions: readonly MatchCondition[],
  values: Readonly<Record<string, CelValue>>,
): boolean {
  const scope = scopeOf(values);
  const failures = new Set<string>();
  for (const { expression } of conditions) {
    try {
      if (programOf(expression).evaluate(scope) === false) return false;
    } catch (error) {
      failures.add(`expression '${expression}' resulted in error: ${messageOf(error)}`);
    }
  }
  if (failures.size === 0) return true;
  throw new Error(failures.size === 1 ? [...failures][0] : `[${[...failures].join(", ")}]`);
}

function programOf(expression: string): Program {
  const known = programs.get(expression);
  if (known) return known;
  // Whether it may speak of params was checked when it was stored.
  const program = compileAdmission(expression, admissionVariables({ params: true, authorizer: true }), ["bool"]);
  programs.set(expression, program);
  return program;
}
