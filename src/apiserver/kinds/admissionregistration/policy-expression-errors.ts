import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import {
  admissionProblem,
  admissionVariables,
  compileAdmission,
  mutationProblem,
} from "../../../apimachinery/cel/admission/admission-expression.ts";
import { CompileError } from "../../../apimachinery/cel/compile-rule.ts";
import { type CelType, dynType } from "../../../apimachinery/cel/values/types.ts";
import { optionalWordErrors } from "../rules/value-errors.ts";

interface CheckedVariables {
  readonly errors: readonly FieldError[];
  /** Absent if a policy has none. */
  readonly types: ReadonlyMap<string, CelType> | undefined;
}

/** Parts of a policy whose fields may be missing. */
type Parts<Field extends string> = readonly { readonly [Name in Field]?: string }[];

/** Returns the errors of a policy's variables, and the types of those that compile. */
export function variableErrors(variables: Parts<"name" | "expression">, at: string, params: boolean): CheckedVariables {
  const errors: FieldError[] = [];
  const types = new Map<string, CelType>();
  for (const [index, { name = "", expression = "" }] of variables.entries()) {
    const field = `${at}[${index}]`;
    if (name.trim() === "") errors.push(required(`${field}.name`, "name is not specified"));
    else if (!isIdentifier(name)) errors.push(invalid(`${field}.name`, name, "must be a valid CEL identifier"));
    if (expression.trim() === "") errors.push(required(`${field}.expression`, "expression is not specified"));
    else {
      try {
        const declared = admissionVariables({ params, authorizer: true, composed: types });
        types.set(name, compileAdmission(expression, declared).type);
      } catch (error) {
        if (!(error instanceof CompileError)) throw error;
        errors.push(invalid(`${field}.expression`, expression, error.message));
        types.set(name, dynType);
      }
    }
  }
  return { errors, types: variables.length > 0 ? types : undefined };
}

interface ExpressionContext {
  readonly params: boolean;
  readonly composed: ReadonlyMap<string, CelType> | undefined;
}

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/** Returns the errors of a policy's validations. */
export function validationErrors(
  validations: Parts<"expression" | "message" | "messageExpression" | "reason">,
  at: string,
  { params, composed }: ExpressionContext,
): FieldError[] {
  const more = composed && { composed };
  const declared = admissionVariables({ params, authorizer: true, ...more });
  const quiet = admissionVariables({ params, authorizer: false, ...more });
  return validations.flatMap(({ expression = "", message = "", messageExpression = "", reason }, index) => {
    const field = `${at}[${index}]`;
    const empty = (name: string, value: string): FieldError[] =>
      value && value.trim() === "" ? [invalid(`${field}.${name}`, value, "must be non-empty if specified")] : [];
    const compiled = (name: string, source: string, ...rest: [typeof declared, "bool" | "string"]): FieldError[] => {
      const why = source.trim() ? admissionProblem(source, rest[0], [rest[1]]) : undefined;
      return why === undefined ? [] : [invalid(`${field}.${name}`, source, why)];
    };
    return [
      ...(expression.trim() ? [] : [required(`${field}.expression`, "expression is not specified")]),
      ...compiled("expression", expression, declared, "bool"),
      ...empty("messageExpression", messageExpression),
      ...compiled("messageExpression", messageExpression, quiet, "string"),
      ...empty("message", message),
      ...(/[\n\r]/.test(message.trim()) ? [invalid(`${field}.message`, message, "must not contain line breaks")] : []),
      ...optionalWordErrors(`${field}.reason`, reason, reasons),
    ];
  });
}

const patchTypes = ["ApplyConfiguration", "JSONPatch"] as const;

/** Returns the errors of a policy's mutations. */
export function mutationErrors(
  mutations: readonly Fields[],
  at: string,
  { params, composed = new Map() }: ExpressionContext,
): FieldError[] {
  const declared = admissionVariables({ params, authorizer: true, composed });
  return mutations.flatMap((mutation, index) => {
    const field = `${at}[${index}]`;
    const patchType = patchTypes.find((type) => type === mutation["patchType"]);
    if (!mutation["patchType"]) return [required(`${field}.patchType`)];
    if (!patchType) return [notSupported(`${field}.patchType`, mutation["patchType"], patchTypes)];
    const [own, other] =
      patchType === "JSONPatch" ? ["jsonPatch", "applyConfiguration"] : ["applyConfiguration", "jsonPatch"];
    const change = childIf(mutation, own);
    const source = textOf(change?.["expression"]).trim();
    const why = source ? mutationProblem(source, declared, patchType) : undefined;
    const when = `specified when patchType is ${patchType}`;
    return [
      ...(change ? [] : [required(`${field}.${own}`, `must be ${when}`)]),
      ...(change && !source ? [required(`${field}.${own}.expression`)] : []),
      ...(why === undefined ? [] : [invalid(`${field}.${own}.expression`, source, why)]),
      ...(childIf(mutation, other) ? [invalid(`${field}.${other}`, `{${other}}`, `must not be ${when}`)] : []),
    ];
  });
}

/** Returns the errors of the expressions for audits: nothing is audited, but they are evaluated and may fail. */
export function auditErrors(
  annotations: Parts<"valueExpression">,
  at: string,
  { params, composed }: ExpressionContext,
): FieldError[] {
  const declared = admissionVariables({ params, authorizer: true, ...(composed && { composed }) });
  return annotations.flatMap(({ valueExpression = "" }, index) => {
    const field = `${at}[${index}].valueExpression`;
    if (valueExpression.trim() === "") return [required(field, "valueExpression is not specified")];
    const why = admissionProblem(valueExpression.trim(), declared, ["string", "null"]);
    return why === undefined ? [] : [invalid(field, valueExpression, why)];
  });
}

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z]\w*$/.test(name) && !reserved.has(name);
}
