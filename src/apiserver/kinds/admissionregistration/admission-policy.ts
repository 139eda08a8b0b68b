import { setImmediate as nextTurn } from "node:timers/promises";
import { type FieldError, required as missing, forbidden } from "../../../apimachinery/field-error.ts";
import { type Fields, child, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { type Printer, printer } from "../printing/printer.ts";
import {
  enumOf,
  fieldRules,
  maxItems,
  must,
  notBlank,
  required,
  type Rows,
  type RowsCheck,
  type FieldRule,
  format,
  unique,
} from "../rules/field-rules.ts";
import { desiredSpec, kindRules } from "../rules/immutable.ts";
import { conditionErrors, conditionRules, defaultMatchResources, matchRules, mutable } from "./matching.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";

/** The most variables, and the most expressions of each other list of a policy: compiling one takes half a millisecond. */
const mostExpressions = 500;
const lists = ["variables", "validations", "auditAnnotations", "mutations"];

const rules: Rows = {
  "paramKind.(apiVersion|kind)": required(),
  matchConstraints: [required(), { resourceRules: required() }, matchRules],
  ...conditionRules,
  [`(${lists.join("|")})`]: maxItems(mostExpressions),
  "variables[]": {
    name: [notBlank, must((name: string) => name.trim() === "" || isIdentifier(name), "must be an identifier of CEL")],
    expression: notBlank,
  },
};

const isSaid = must((words: string) => words === "" || words.trim() !== "", "must be non-empty if specified");

const validatingErrors = fieldRules({
  spec: {
    ...rules,
    ".": (spec, at) =>
      items(spec as Fields, "validations").length + items(spec as Fields, "auditAnnotations").length > 0
        ? []
        : ["validations", "auditAnnotations"].map((name) => missing(`${at}.${name}`, "one of them must have an item")),
    "validations[]": {
      expression: notBlank,
      messageExpression: isSaid,
      message: [isSaid, must((message: string) => !/[\n\r]/.test(message.trim()), "must not contain line breaks")],
      reason: enumOf("Forbidden", "Invalid", "RequestEntityTooLarge"),
    },
    "auditAnnotations[].valueExpression": notBlank,
  },
});

const mutatingErrors = fieldRules({
  spec: {
    ...rules,
    "matchConstraints.resourceRules": mutable,
    mutations: required(),
    // The server applies no patches.
    "mutations[].patchType": enumOf("ApplyConfiguration"),
    reinvocationPolicy: required(),
  },
});

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
  validate: (policy) => policyErrors(policy, validatingErrors),
  printer: policyPrinter("Validations", "validations"),
};

/** MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: BuiltinKind = {
  ...validatingAdmissionPolicy,
  validate: (policy) => policyErrors(policy, mutatingErrors),
  printer: policyPrinter("Mutations", "mutations"),
};

async function policyErrors(policy: UnstructuredObject, rowErrors: RowsCheck): Promise<FieldError[]> {
  const spec = childIf(policy, "spec") ?? {};
  const errors = rowErrors({ spec: {}, ...policy });
  if (lists.some((name) => items(spec, name).length > mostExpressions)) return errors;
  errors.push(...(await conditionErrors(spec, "spec", { params: spec["paramKind"] !== undefined })));
  const { expressionErrors } = await import("./policy-expression-errors.ts");
  await nextTurn();
  return [...errors, ...expressionErrors(spec)];
}

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z]\w*$/.test(name) && !reserved.has(name);
}

function policyPrinter(column: string, field: string): Printer {
  return printer(`${column}:integer|ParamKind|Age`, (object) => {
    const kind = valueAt(object, "spec", "paramKind");
    const shown = kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
    return [listAt(object, "spec", field).length, shown];
  });
}

/** Requires a name or a selector of the parameters, and refuses both. */
const nameOrSelector: FieldRule = (value, at) => {
  const { name, selector } = value as Fields;
  if (name && selector)
    return ["name", "selector"].map((field) => forbidden(`${at}.${field}`, "name and selector are mutually exclusive"));
  return name || selector ? [] : [missing(at, "one of name or selector must be specified")];
};

const bindingRules: Rows = {
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
      ...bindingRules,
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
  validate: kindRules({ spec: { ...bindingRules, "matchResources.resourceRules": mutable } }),
};
