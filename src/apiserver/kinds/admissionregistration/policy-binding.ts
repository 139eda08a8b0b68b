import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, duplicate, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { dnsSubdomainErrors, pathSegmentErrors } from "../rules/name-errors.ts";
import { wordErrors, repeatedIndexes } from "../rules/value-errors.ts";
import { warnOfSuffix } from "./admission-policy.ts";
import { defaultMatchResources, matchResourcesErrors, operationErrors } from "./matching.ts";

/** ValidatingAdmissionPolicyBinding: puts a policy into force. */
export const validatingPolicyBinding: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  applyDefaults: (binding) => defaultMatchResources(childIf(childIf(binding, "spec"), "matchResources")),
  generationOf: desiredSpec,
  validate: (binding) => [...bindingErrors(binding), ...actionErrors(childIf(binding, "spec"))],
  warn: warnOfSuffix,
  printer: printer("PolicyName|ParamRef|Age", (object, now) => {
    const reference = valueAt(object, "spec", "paramRef");
    const name = `${textAt(reference, "namespace") || "*"}/${textAt(reference, "name")}`;
    return [textAt(object, "spec", "policyName"), reference === undefined ? "<unset>" : name, creationAge(object, now)];
  }),
};

/** MutatingAdmissionPolicyBinding. */
export const mutatingPolicyBinding: BuiltinKind = {
  ...validatingPolicyBinding,
  validate: (binding) => [
    ...bindingErrors(binding),
    ...operationErrors(childIf(childIf(binding, "spec"), "matchResources"), "spec.matchResources"),
  ],
};

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
  const repeated = repeatedIndexes(given);
  return [
    ...given.flatMap((action, index) => [
      ...wordErrors(`${field}[${index}]`, action, actions),
      ...(repeated.has(index) ? [duplicate(`${field}[${index}]`, action)] : []),
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

const notFoundActions = ["Deny", "Allow"];
const exclusive = "name and selector are mutually exclusive";

/** Returns the errors in the reference of a binding to its parameters. */
function paramRefErrors(ref: Fields | undefined, at: string): FieldError[] {
  if (!ref) return [];
  const name = textOf(ref["name"]);
  const action = textOf(ref["parameterNotFoundAction"]);
  const selector = childIf(ref, "selector");
  return [
    ...(name ? pathSegmentErrors(`${at}.name`, name) : []),
    ...(name && selector ? [forbidden(`${at}.name`, exclusive), forbidden(`${at}.selector`, exclusive)] : []),
    ...labelSelectorErrors(selector, `${at}.selector`),
    ...(name || selector ? [] : [required(at, "one of name or selector must be specified")]),
    ...(action
      ? wordErrors(`${at}.parameterNotFoundAction`, action, notFoundActions)
      : [required(`${at}.parameterNotFoundAction`)]),
  ];
}
