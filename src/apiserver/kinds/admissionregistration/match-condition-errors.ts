import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, required, tooMany } from "../../../apimachinery/schema/field-error.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

const mostConditions = 64;

/** Returns the errors in the conditions of a webhook or policy. Loads CEL, a large library, for the first condition. */
export async function matchConditionErrors(
  conditions: readonly Fields[],
  at: string,
  { params }: { readonly params: boolean },
): Promise<FieldError[]> {
  if (conditions.length === 0) return [];
  const { admissionProblem, admissionVariables } = await import("../../../cel/admission/admission-expression.ts");
  const variables = admissionVariables({ params, authorizer: true });
  const names = new Set<unknown>();
  const errors = conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : [];
  for (const [index, { name = "", expression = "" }] of conditions.entries()) {
    const field = `${at}[${index}]`;
    const source = textOf(expression).trim();
    const why = source ? admissionProblem(source, variables, ["bool"]) : undefined;
    errors.push(
      ...(source ? [] : [required(`${field}.expression`)]),
      ...(why === undefined ? [] : [invalid(`${field}.expression`, source, why)]),
      ...(name ? labelKeyErrors(`${field}.name`, textOf(name)) : [required(`${field}.name`)]),
      ...(name && names.has(name) ? [duplicate(`${field}.name`, name)] : []),
    );
    names.add(name);
  }
  return errors;
}
