import { scopeOf, type Program } from "../../apimachinery/cel/compile-rule.ts";
import { type CelValue, dynamicValue } from "../../apimachinery/cel/values/values.ts";
import {
  admissionVariables,
  compileAdmission,
  ExpressionError,
  runAdmission,
} from "../../apimachinery/cel/admission/admission-expression.ts";
import { conditionBudget, RunBudget } from "../../apimachinery/cel/evaluate/run-budget.ts";
import type { MatchCondition } from "../../k8s/admissionregistration/v1.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { AdmissionAttributes, AdmissionPrograms } from "./admission-attributes.ts";
import { admissionReview } from "./admission-review.ts";

/**
 * Reports whether all conditions hold. Throws an Error if one cannot be evaluated, unless another one is false, or if
 * together they cost too much.
 */
export function holdConditions(
  conditions: readonly MatchCondition[],
  values: Readonly<Record<string, CelValue>>,
  programs: AdmissionPrograms,
): boolean {
  const scope = scopeOf(values);
  const budget = new RunBudget(conditionBudget);
  const failures = new Set<string>();
  let hold = true;
  for (const condition of conditions) {
    try {
      const { evaluate } = programOf(condition, programs);
      if (runAdmission({ expression: condition.expression, evaluate }, scope, budget) === false) hold = false;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      failures.add(error.message);
    }
  }
  if (failures.size === 0 || !hold) return hold;
  throw new Error(failures.size === 1 ? [...failures][0] : `[${[...failures].join(", ")}]`);
}

function programOf(condition: MatchCondition, { conditions }: AdmissionPrograms): Program {
  const known = conditions.get(condition);
  if (known) return known;
  // Whether it may use params was checked when it was stored.
  const variables = admissionVariables({ params: true });
  const program = compileAdmission(condition.expression, variables, ["bool"]);
  conditions.set(condition, program);
  return program;
}

export interface AdmissionSurroundings {
  /** The namespace of the object, if expressions may see it. */
  readonly namespace?: UnstructuredObject | undefined;
  readonly params?: UnstructuredObject | undefined;
}

/** Returns the variables of an admission expression. */
export function admissionValues(
  attributes: AdmissionAttributes,
  { namespace, params }: AdmissionSurroundings = {},
): Record<string, CelValue> {
  const { object, oldObject } = attributes;
  return {
    object: dynamicValue(object),
    oldObject: dynamicValue(oldObject),
    request: dynamicValue(requestOf(attributes)),
    namespaceObject: dynamicValue(namespace && shownNamespace(namespace)),
    params: dynamicValue(params),
  };
}

/** Returns the request without the objects, which have variables of their own. */
function requestOf(attributes: AdmissionAttributes): Record<string, unknown> {
  const { request } = admissionReview(attributes, "") as { request: Record<string, unknown> };
  const { uid: _uid, object: _object, oldObject: _oldObject, ...rest } = request;
  return rest;
}

function shownNamespace({ metadata, spec, status }: UnstructuredObject): Record<string, unknown> {
  const { managedFields: _fields, ownerReferences: _owners, ...shown } = metadata;
  return { metadata: shown, spec, status };
}
