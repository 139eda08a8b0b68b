import { setImmediate as nextTurn } from "node:timers/promises";
import { type Fields, child, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, required, tooMany } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { type Printer, printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { wordErrors } from "../rules/value-errors.ts";
import { defaultMatchResources, matchConditionErrors, matchResourcesErrors, operationErrors } from "./matching.ts";

/** ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicy: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  applyDefaults(policy) {
    const spec = child(policy, "spec");
    fill(spec, { failurePolicy: "Fail" });
    defaultMatchResources(childIf(spec, "matchConstraints"));
  },
  generationOf: desiredSpec,
  validate: policyErrors,
  warn: warnOfSuffix,
  printer: policyPrinter("Validations", "validations"),
};

/** MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: BuiltinKind = {
  ...validatingAdmissionPolicy,
  validate: mutatingErrors,
  printer: policyPrinter("Mutations", "mutations"),
};

/** The most variables, and the most expressions of each other list of a policy: compiling one takes half a millisecond. */
const mostExpressions = 500;

function countErrors(spec: Fields): FieldError[] {
  return ["variables", "validations", "auditAnnotations", "mutations"].flatMap((name) => {
    const { length } = items(spec, name);
    return length > mostExpressions ? [tooMany(`spec.${name}`, length, mostExpressions)] : [];
  });
}

const atLeastOne = "validations or auditAnnotations must contain at least one item";

async function policyErrors(policy: UnstructuredObject): Promise<FieldError[]> {
  const spec = childIf(policy, "spec") ?? {};
  const [validations, annotations] = [items(spec, "validations"), items(spec, "auditAnnotations")];
  const tooManyErrors = countErrors(spec);
  if (tooManyErrors.length > 0) return tooManyErrors;
  const errors = await commonErrors(spec);
  const { variableErrors, validationErrors, auditErrors } = await import("./policy-expression-errors.ts");
  const params = spec["paramKind"] !== undefined;
  const variables = variableErrors(items(spec, "variables"), "spec.variables", params);
  const context = { params, composed: variables.types };
  await nextTurn();
  return [
    ...errors,
    ...variables.errors,
    ...(validations.length + annotations.length > 0
      ? []
      : [required("spec.validations", atLeastOne), required("spec.auditAnnotations", atLeastOne)]),
    ...validationErrors(validations, "spec.validations", context),
    ...auditErrors(annotations, "spec.auditAnnotations", context),
  ];
}

const reinvocationPolicies = ["IfNeeded", "Never"];

async function mutatingErrors(policy: UnstructuredObject): Promise<FieldError[]> {
  const spec = childIf(policy, "spec") ?? {};
  const { reinvocationPolicy, paramKind } = spec;
  const tooManyErrors = countErrors(spec);
  if (tooManyErrors.length > 0) return tooManyErrors;
  const errors = await commonErrors(spec);
  const { variableErrors, mutationErrors } = await import("./policy-expression-errors.ts");
  const params = paramKind !== undefined;
  const mutations = items(spec, "mutations");
  const variables = variableErrors(items(spec, "variables"), "spec.variables", params);
  await nextTurn();
  return [
    ...errors,
    ...operationErrors(childIf(spec, "matchConstraints"), "spec.matchConstraints"),
    ...variables.errors,
    ...(mutations.length > 0 ? [] : [required("spec.mutations", "mutations must contain at least one item")]),
    ...mutationErrors(mutations, "spec.mutations", { params, composed: variables.types }),
    ...(reinvocationPolicy
      ? wordErrors("spec.reinvocationPolicy", reinvocationPolicy, reinvocationPolicies)
      : [required("spec.reinvocationPolicy")]),
  ];
}

const failurePolicies = ["Fail", "Ignore"];

/** Returns the errors in the common part of validating and mutating policies. */
async function commonErrors(spec: Fields): Promise<FieldError[]> {
  const { failurePolicy } = spec;
  const constraints = childIf(spec, "matchConstraints");
  const params = spec["paramKind"] !== undefined;
  return [
    ...wordErrors("spec.failurePolicy", failurePolicy, failurePolicies),
    ...paramKindErrors(childIf(spec, "paramKind"), "spec.paramKind"),
    ...(constraints ? [] : [required("spec.matchConstraints")]),
    ...matchResourcesErrors(constraints, "spec.matchConstraints"),
    ...(constraints && items(constraints, "resourceRules").length === 0
      ? [required("spec.matchConstraints.resourceRules")]
      : []),
    ...(await matchConditionErrors(items(spec, "matchConditions"), "spec.matchConditions", { params })),
  ];
}

const reservedSuffix = ".static.k8s.io";

export function warnOfSuffix({ metadata }: UnstructuredObject): string[] {
  if (!metadata.name?.endsWith(reservedSuffix)) return [];
  return [
    `metadata.name: names ending with "${reservedSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ];
}

/** Returns the errors in the kind of a policy's parameters. */
function paramKindErrors(paramKind: Fields | undefined, at: string): FieldError[] {
  if (!paramKind) return [];
  return ["apiVersion", "kind"].filter((name) => !paramKind[name]).map((name) => required(`${at}.${name}`));
}

function policyPrinter(column: string, field: string): Printer {
  return printer(`${column}:integer|ParamKind|Age`, (object, now) => {
    const kind = valueAt(object, "spec", "paramKind");
    const shown = kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
    return [listAt(object, "spec", field).length, shown, creationAge(object, now)];
  });
}
