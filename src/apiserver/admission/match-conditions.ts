import { compileProgram, scopeOf, type Program } from "../../apimachinery/cel/compile-rule.ts";
import { dynType } from "../../apimachinery/cel/types.ts";
import { CelLiteralMap, type CelValue } from "../../apimachinery/cel/values.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";
import { admissionReview } from "./admission-review.ts";
import type { MatchCondition } from "./webhook-configuration.ts";

const programs = new Map<string, Program>();

/** Whether all conditions hold. Throws an Error for one that can't be evaluated, unless another one is false. */
export function holdConditions(conditions: readonly MatchCondition[], attributes: AdmissionAttributes): boolean {
  let failed: Error | undefined;
  for (const { expression } of conditions) {
    try {
      if (!isTrue(expression, attributes)) return false;
    } catch (error) {
      failed ??= new Error(`expression '${expression}' resulted in error: ${messageOf(error)}`, { cause: error });
    }
  }
  if (failed) throw failed;
  return true;
}

function isTrue(expression: string, attributes: AdmissionAttributes): boolean {
  const variables = { object: dynType, oldObject: dynType, request: dynType };
  const program = programs.get(expression) ?? compileProgram(expression, { variables, result: "bool" });
  programs.set(expression, program);
  const { request } = admissionReview(attributes, "");
  const { object, oldObject } = attributes;
  const scope = scopeOf({ object: dynamic(object), oldObject: dynamic(oldObject), request: dynamic(request) });
  return program.evaluate(scope) === true;
}

/** JSON without a schema: whole numbers are integers. */
function dynamic(json: unknown): CelValue {
  if (json === undefined || json === null) return null;
  if (Array.isArray(json)) return json.map(dynamic);
  if (typeof json === "object") {
    const map = new CelLiteralMap();
    for (const [key, value] of Object.entries(json)) map.add(key, dynamic(value));
    return map;
  }
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  return json as string | boolean;
}
