import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import { childIf, items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { defaultAdmissionPolicy, defaultPolicyBinding } from "../defaults/policy-defaults.ts";
import { matchConditionErrors } from "../rules/match-condition-errors.ts";
import { matchResourcesErrors } from "../rules/match-resources-errors.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";
import { paramKindErrors, paramRefErrors } from "../rules/param-errors.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec } from "./immutable.ts";

/** ValidatingAdmissionPolicy: rules in CEL for other objects. */
export const validatingPolicyStrategy: Strategy = {
  applyDefaults: defaultAdmissionPolicy,
  generationOf: desiredSpec,
  validate: policyErrors,
  warn: warnOfSuffix,
};

/** ValidatingAdmissionPolicyBinding: puts a policy into force. */
export const validatingBindingStrategy: Strategy = {
  applyDefaults: defaultPolicyBinding,
  generationOf: desiredSpec,
  validate: (binding) => [...bindingErrors(binding), ...actionErrors(childIf(binding, "spec"))],
  warn: warnOfSuffix,
};

/** MutatingAdmissionPolicy: changes of other objects in CEL. */
export const mutatingPolicyStrategy: Strategy = { ...validatingPolicyStrategy, validate: mutatingErrors };

/** MutatingAdmissionPolicyBinding: puts one of them into force. */
export const mutatingBindingStrategy: Strategy = {
  ...validatingBindingStrategy,
  validate: (binding) => [
    ...bindingErrors(binding),
    ...operationErrors(childIf(childIf(binding, "spec"), "matchResources"), "spec.matchResources"),
  ],
};

const atLeastOne = "validations or auditAnnotations must contain at least one item";

async function policyErrors(policy: UnstructuredObject): Promise<FieldError[]> {
  const spec = childIf(policy, "spec") ?? {};
  const [validations, annotations] = [items(spec, "validations"), items(spec, "auditAnnotations")];
  const errors = await commonErrors(spec);
  const { variableErrors, validationErrors, auditErrors } = await import("../rules/policy-expression-errors.ts");
  const params = spec["paramKind"] !== undefined;
  const variables = variableErrors(items(spec, "variables"), "spec.variables", params);
  const context = { params, composed: variables.types };
  const name = policy.metadata.name ?? "";
  return [
    ...errors,
    ...variables.errors,
    ...(validations.length + annotations.length > 0
      ? []
      : [required("spec.validations", atLeastOne), required("spec.auditAnnotations", atLeastOne)]),
    ...validationErrors(validations, "spec.validations", context),
    ...auditErrors(annotations, "spec.auditAnnotations", { ...context, policy: name }),
    ...statusErrors(childIf(policy, "status")),
  ];
}

const reinvocationPolicies = ["IfNeeded", "Never"];

async function mutatingErrors(policy: UnstructuredObject): Promise<FieldError[]> {
  const spec = childIf(policy, "spec") ?? {};
  const { reinvocationPolicy, paramKind } = spec;
  const errors = await commonErrors(spec);
  const { variableErrors, mutationErrors } = await import("../rules/policy-expression-errors.ts");
  const params = paramKind !== undefined;
  const mutations = items(spec, "mutations");
  const variables = variableErrors(items(spec, "variables"), "spec.variables", params);
  return [
    ...errors,
    ...operationErrors(childIf(spec, "matchConstraints"), "spec.matchConstraints"),
    ...variables.errors,
    ...(mutations.length > 0 ? [] : [required("spec.mutations", "mutations must contain at least one item")]),
    ...mutationErrors(mutations, "spec.mutations", { params, composed: variables.types }),
    ...(reinvocationPolicy ? [] : [required("spec.reinvocationPolicy")]),
    ...(reinvocationPolicy && !reinvocationPolicies.includes(textOf(reinvocationPolicy))
      ? [notSupported("spec.reinvocationPolicy", reinvocationPolicy, reinvocationPolicies)]
      : []),
  ];
}

const mutableOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** What is deleted can't be changed. */
function operationErrors(match: Fields | undefined, at: string): FieldError[] {
  return items(match, "resourceRules")
    .flatMap((rule) => (rule["operations"] ?? []) as string[])
    .filter((operation) => !mutableOperations.includes(operation))
    .map((operation) => notSupported(`${at}.resourceRules.operations`, operation, mutableOperations));
}

const failurePolicies = ["Fail", "Ignore"];

/** What validating and mutating policies have in common. */
async function commonErrors(spec: Fields): Promise<FieldError[]> {
  const { failurePolicy } = spec;
  const constraints = childIf(spec, "matchConstraints");
  const params = spec["paramKind"] !== undefined;
  return [
    ...(failurePolicies.includes(textOf(failurePolicy))
      ? []
      : [notSupported("spec.failurePolicy", failurePolicy, failurePolicies)]),
    ...paramKindErrors(childIf(spec, "paramKind"), "spec.paramKind"),
    ...(constraints ? [] : [required("spec.matchConstraints")]),
    ...matchResourcesErrors(constraints, "spec.matchConstraints"),
    ...(constraints && items(constraints, "resourceRules").length === 0
      ? [required("spec.matchConstraints.resourceRules")]
      : []),
    ...(await matchConditionErrors(items(spec, "matchConditions"), "spec.matchConditions", { params })),
  ];
}

function statusErrors(status: Fields | undefined): FieldError[] {
  return items(childIf(status, "typeChecking"), "expressionWarnings").flatMap(({ fieldRef, warning }, index) => {
    const at = `status.typeChecking.expressionWarnings[${index}]`;
    return [
      ...(textOf(warning) ? [] : [required(`${at}.warning`)]),
      ...(textOf(fieldRef).trim() ? [] : [required(`${at}.fieldRef`)]),
    ];
  });
}

function bindingErrors(binding: UnstructuredObject): FieldError[] {
  const spec = childIf(binding, "spec");
  const policyName = textOf(spec?.["policyName"]);
  return [
    ...(policyName ? dnsSubdomainErrors("spec.policyName", policyName) : [required("spec.policyName")]),
    ...paramRefErrors(childIf(spec, "paramRef"), "spec.paramRef"),
    ...matchResourcesErrors(childIf(spec, "matchResources"), "spec.matchResources"),
  ];
}

const actions = ["Audit", "Deny", "Warn"];

function actionErrors(spec: Fields | undefined): FieldError[] {
  const field = "spec.validationActions";
  const given = (spec?.["validationActions"] ?? []) as string[];
  if (given.length === 0) return [required(field, "at least one validation action is required")];
  return [
    ...given.flatMap((action, index) => [
      ...(actions.includes(action) ? [] : [notSupported(`${field}[${index}]`, action, actions)]),
      ...(given.indexOf(action) < index ? [duplicate(`${field}[${index}]`, action)] : []),
    ]),
    ...(given.includes("Deny") && given.includes("Warn")
      ? [
          invalid(
            field,
            given,
            "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)",
          ),
        ]
      : []),
  ];
}

const reservedSuffix = ".static.k8s.io";

function warnOfSuffix({ metadata }: UnstructuredObject): string[] {
  if (!metadata.name?.endsWith(reservedSuffix)) return [];
  return [
    `metadata.name: names ending with "${reservedSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ];
}
