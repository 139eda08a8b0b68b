import {
  admissionVariables,
  compileAdmission,
  compileMutation,
  problemOf,
} from "../../../apimachinery/cel/admission/admission-expression.ts";
import { CompileError } from "../../../apimachinery/cel/compile-rule.ts";
import { type CelType, dynType } from "../../../apimachinery/cel/values/types.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";

type Declared = ReturnType<typeof admissionVariables>;

/** Returns the errors in the expressions of a policy that are not blank. */
export function expressionErrors(spec: Fields): FieldError[] {
  const params = spec["paramKind"] !== undefined;
  const errors: FieldError[] = [];
  const types = declareVariables(spec, params, errors);
  const more = items(spec, "variables").length > 0 && { composed: types };
  const declared = admissionVariables({ params, ...more });
  const check = (at: string, source: string, variables: Declared, results: Parameters<typeof compileAdmission>[2]) => {
    const why = source.trim() ? problemOf(() => compileAdmission(source.trim(), variables, results)) : undefined;
    if (why !== undefined) errors.push(invalid(at, source, why));
  };
  for (const [index, { expression, messageExpression }] of items(spec, "validations").entries()) {
    check(`spec.validations[${index}].expression`, textOf(expression), declared, ["bool"]);
    check(`spec.validations[${index}].messageExpression`, textOf(messageExpression), declared, ["string"]);
  }
  for (const [index, { valueExpression }] of items(spec, "auditAnnotations").entries())
    check(`spec.auditAnnotations[${index}].valueExpression`, textOf(valueExpression), declared, ["string", "null"]);
  const mutations = items(spec, "mutations");
  return [...errors, ...mutations.flatMap((each, index) => mutationErrors(each, `spec.mutations[${index}]`, declared))];
}

/** Returns the types of variables: any for one that does not compile, which is an error. */
function declareVariables(spec: Fields, params: boolean, errors: FieldError[]): ReadonlyMap<string, CelType> {
  const types = new Map<string, CelType>();
  for (const [index, variable] of items(spec, "variables").entries()) {
    const [name, expression] = [textOf(variable["name"]), textOf(variable["expression"])];
    if (expression.trim() === "") continue;
    try {
      const declared = admissionVariables({ params, composed: types });
      types.set(name, compileAdmission(expression, declared).type);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      errors.push(invalid(`spec.variables[${index}].expression`, expression, error.message));
      types.set(name, dynType);
    }
  }
  return types;
}

function mutationErrors(mutation: Fields, at: string, declared: Declared): FieldError[] {
  const type = textOf(mutation["patchType"]);
  if (type !== "ApplyConfiguration") return type ? [] : [required(`${at}.patchType`)];
  const change = childIf(mutation, "applyConfiguration");
  const source = textOf(change?.["expression"]).trim();
  const why = source ? problemOf(() => compileMutation(source, declared)) : undefined;
  return [
    ...(change ? [] : [required(`${at}.applyConfiguration`)]),
    ...(change && !source ? [required(`${at}.applyConfiguration.expression`)] : []),
    ...(why === undefined ? [] : [invalid(`${at}.applyConfiguration.expression`, source, why)]),
  ];
}
