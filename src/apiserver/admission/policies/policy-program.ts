import { lazyMap, type CelValue } from "../../../apimachinery/cel/values/values.ts";
import { CostLimitError, type Evaluate, type Scope } from "../../../apimachinery/cel/evaluate/comprehend.ts";
import type { RunBudget } from "../../../apimachinery/cel/evaluate/run-budget.ts";
import { scopeOf } from "../../../apimachinery/cel/compile-rule.ts";
import { CelError } from "../../../apimachinery/cel/values/issue.ts";
import type { CelType } from "../../../apimachinery/cel/values/types.ts";
import { messageOf } from "../../../errors/message-of.ts";
import {
  admissionVariables,
  compileAdmission,
  compileMutation,
} from "../../../apimachinery/cel/admission/admission-expression.ts";
import type { Validation, Variable } from "../../../k8s/admissionregistration/v1.ts";
import type { AdmissionPolicy } from "./active-policies.ts";

/** A policy with compiled expressions. */
export interface PolicyProgram {
  readonly validations: readonly CompiledValidation[];
  readonly mutations: readonly CompiledExpression[];
  /** Returns the variables of the expressions, including the policy's own, which use the budget of the expressions. */
  readonly scopeOf: (values: Readonly<Record<string, CelValue>>, budget: RunBudget) => Scope | undefined;
}

export interface CompiledExpression {
  readonly expression: string;
  readonly evaluate: Evaluate;
}

interface CompiledValidation extends CompiledExpression {
  readonly source: Validation;
  readonly message: CompiledExpression | undefined;
}

/** Returns the program of a stored policy, which is compiled once. */
export function policyProgram(policy: AdmissionPolicy, compiled: WeakMap<object, PolicyProgram>): PolicyProgram {
  const known = compiled.get(policy);
  if (known) return known;
  const program = compile(policy);
  compiled.set(policy, program);
  return program;
}

function compile({ spec }: AdmissionPolicy): PolicyProgram {
  const { paramKind, variables = [], validations = [], mutations = [] } = spec;
  const params = paramKind !== undefined;
  const { evaluators, types } = compileVariables(variables, params);
  const declared = admissionVariables({ params, composed: types });
  return {
    validations: validations.map((source) => ({
      source,
      expression: source.expression,
      evaluate: compileAdmission(source.expression, declared, ["bool"]).evaluate,
      message: source.messageExpression
        ? {
            expression: source.messageExpression,
            evaluate: compileAdmission(source.messageExpression, declared, ["string"]).evaluate,
          }
        : undefined,
    })),
    mutations: mutations.map(({ applyConfiguration: { expression = "" } = {} }) => ({
      expression,
      evaluate: compileMutation(expression, declared).evaluate,
    })),
    scopeOf: (values, budget) => withVariables(values, evaluators, budget),
  };
}

/** Compiles the variables of a policy; each may use those before it. */
function compileVariables(
  variables: readonly Variable[],
  params: boolean,
): { evaluators: Map<string, Evaluate>; types: Map<string, CelType> } {
  const evaluators = new Map<string, Evaluate>();
  const types = new Map<string, CelType>();
  for (const { name, expression } of variables) {
    const declared = admissionVariables({ params, composed: types });
    const { evaluate, type } = compileAdmission(expression, declared);
    evaluators.set(name, evaluate);
    types.set(name, type);
  }
  return { evaluators, types };
}

/** Adds the policy's variables; each is computed with its first use. */
function withVariables(
  values: Readonly<Record<string, CelValue>>,
  evaluators: ReadonlyMap<string, Evaluate>,
  budget: RunBudget,
): Scope | undefined {
  const lazy = [...evaluators].map(([name, evaluate]): [string, () => CelValue] => [
    name,
    () => {
      try {
        return budget.run(evaluate, scope);
      } catch (error) {
        if (!(error instanceof CelError || error instanceof CostLimitError)) throw error;
        throw new CelError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${messageOf(error)}`);
      }
    },
  ]);
  const scope = scopeOf({ ...values, variables: lazyMap(new Map(lazy)) });
  return scope;
}
