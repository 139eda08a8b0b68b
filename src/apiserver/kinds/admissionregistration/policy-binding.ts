import { forbidden, required as missing } from "../../../apimachinery/field-error.ts";
import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, type FieldRule, format, must, required, type Rows, unique } from "../rules/field-rules.ts";
import { desiredSpec, kindRules } from "../rules/immutable.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";
import { defaultMatchResources, matchRules, mutable } from "./matching.ts";

/** Requires a name or a selector of the parameters, and refuses both. */
const nameOrSelector: FieldRule = (value, at) => {
  const { name, selector } = value as Fields;
  if (name && selector)
    return ["name", "selector"].map((field) => forbidden(`${at}.${field}`, "name and selector are mutually exclusive"));
  return name || selector ? [] : [missing(at, "one of name or selector must be specified")];
};

const rules: Rows = {
  policyName: [required(), format("k8s-long-name")],
  paramRef: {
    ".": nameOrSelector,
    name: format("k8s-path-segment-name"),
    selector: selectorRules,
    parameterNotFoundAction: [required(), enumOf("Deny", "Allow")],
  },
  matchResources: matchRules,
};

/** ValidatingAdmissionPolicyBinding: puts a policy into force. */
export const validatingPolicyBinding: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  applyDefaults: (binding) => defaultMatchResources(childIf(childIf(binding, "spec"), "matchResources")),
  generationOf: desiredSpec,
  validate: kindRules({
    spec: {
      ...rules,
      validationActions: [
        unique(),
        must(
          (actions: string[]) => !actions.includes("Deny") || !actions.includes("Warn"),
          "must not be Deny and Warn",
        ),
      ],
    },
  }),
  printer: printer("PolicyName|ParamRef|Age", (object) => {
    const reference = valueAt(object, "spec", "paramRef");
    const name = `${textAt(reference, "namespace") || "*"}/${textAt(reference, "name")}`;
    return [textAt(object, "spec", "policyName"), reference === undefined ? "<unset>" : name];
  }),
};

/** MutatingAdmissionPolicyBinding. */
export const mutatingPolicyBinding: BuiltinKind = {
  ...validatingPolicyBinding,
  validate: kindRules({ spec: { ...rules, "matchResources.resourceRules": mutable } }),
};
