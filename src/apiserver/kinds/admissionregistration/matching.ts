import { setImmediate as nextTurn } from "node:timers/promises";
import { type FieldError, invalid, notSupported } from "../../../apimachinery/field-error.ts";
import { type Fields, fill, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldRule,
  format,
  maxItems,
  must,
  notBlank,
  required,
  type Rows,
  unique,
  uniqueNames,
} from "../rules/field-rules.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";

/** Sets the defaults of the requests that a policy or a binding matches. */
export function defaultMatchResources(match: Fields | undefined): void {
  if (!match) return;
  fill(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const name of ["resourceRules", "excludeResourceRules"])
    for (const rule of items(match, name)) fill(rule, { scope: "*" });
}

/** The rules of a selection of requests. */
export const requestRules: Rows = {
  "(operations|apiGroups|apiVersions)": [
    required(),
    must((words: string[]) => words.length < 2 || !words.includes("*"), "must not have others than '*'"),
  ],
  resources: required(),
  "(apiVersions|resources)[]": required(),
};

/** The rules of the requests that a policy or a binding matches. */
export const matchRules: Rows = {
  "(namespaceSelector|objectSelector)": selectorRules,
  "(resourceRules|excludeResourceRules)[]": {
    ...requestRules,
    resourceNames: unique(),
    "resourceNames[]": format("k8s-path-segment-name"),
  },
};

const mutableOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Refuses operations without an object that could be mutated. */
export const mutable: FieldRule = (rules, at) =>
  (Array.isArray(rules) ? (rules as { operations?: string[] }[]) : [])
    .flatMap(({ operations }) => operations ?? [])
    .filter((operation) => !mutableOperations.includes(operation))
    .map((operation) => notSupported(`${at}.operations`, operation, mutableOperations));

const mostConditions = 64;

/** The rules of the conditions of a webhook or policy, apart from their expressions. */
export const conditionRules: Rows = {
  matchConditions: [maxItems(mostConditions), uniqueNames],
  "matchConditions[]": { name: format("k8s-label-key"), expression: notBlank },
};

/** Returns the errors in the expressions of conditions. Loads CEL, a large library, for the first condition. */
export async function conditionErrors(
  { matchConditions }: Fields,
  at: string,
  { params }: { readonly params: boolean },
): Promise<FieldError[]> {
  const conditions = items({ matchConditions }, "matchConditions").slice(0, mostConditions);
  if (conditions.length === 0) return [];
  const { admissionVariables, compileAdmission, problemOf } =
    await import("../../../apimachinery/cel/admission/admission-expression.ts");
  const variables = admissionVariables({ params });
  // Compiling takes a while.
  await nextTurn();
  return conditions.flatMap(({ expression }, index) => {
    const source = textOf(expression).trim();
    const why = source ? problemOf(() => compileAdmission(source, variables, ["bool"])) : undefined;
    return why === undefined ? [] : [invalid(`${at}.matchConditions[${index}].expression`, source, why)];
  });
}
