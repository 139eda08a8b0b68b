import { setImmediate as nextTurn } from "node:timers/promises";
import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, required, tooMany } from "../../../apimachinery/field-error.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { labelKeyErrors, pathSegmentErrors } from "../rules/name-errors.ts";
import { optionalWordErrors, wordErrors, repeatedIndexes } from "../rules/value-errors.ts";

export function defaultMatchResources(match: Fields | undefined): void {
  if (!match) return;
  fill(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const name of ["resourceRules", "excludeResourceRules"])
    for (const rule of items(match, name)) fill(rule, { scope: "*" });
}

const matchPolicies = ["Equivalent", "Exact"];

/** Returns the errors in the resources that a policy or binding matches; none if they are absent. */
export function matchResourcesErrors(match: Fields | undefined, at: string): FieldError[] {
  if (!match) return [];
  return [
    ...wordErrors(`${at}.matchPolicy`, match["matchPolicy"], matchPolicies),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(childIf(match, name), `${at}.${name}`),
    ),
    ...["resourceRules", "excludeResourceRules"].flatMap((name) =>
      items(match, name).flatMap((rule, index) => namedRuleErrors(rule, `${at}.${name}[${index}]`)),
    ),
  ];
}

function namedRuleErrors(rule: Fields, at: string): FieldError[] {
  const names = (rule["resourceNames"] ?? []) as string[];
  const repeated = repeatedIndexes(names);
  return [
    ...names.flatMap((name, index) => [
      ...pathSegmentErrors(`${at}.resourceNames[${index}]`, name),
      ...(repeated.has(index) ? [duplicate(`${at}.resourceNames[${index}]`, name)] : []),
    ]),
    ...webhookRuleErrors(rule, at),
  ];
}

const mutableOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Rejects operations that cannot be mutated. */
export function operationErrors(match: Fields | undefined, at: string): FieldError[] {
  return items(match, "resourceRules")
    .flatMap((rule) => (rule["operations"] ?? []) as string[])
    .flatMap((operation) => wordErrors(`${at}.resourceRules.operations`, operation, mutableOperations));
}

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Returns the errors of a rule that selects requests. */
export function webhookRuleErrors(rule: Fields, at: string): FieldError[] {
  const list = (name: string): string[] => (rule[name] ?? []) as string[];
  const { scope } = rule;
  return [
    ...wildcardErrors(list("operations"), `${at}.operations`, "operations"),
    ...list("operations").flatMap((word, index) => wordErrors(`${at}.operations[${index}]`, word, operations)),
    ...wildcardErrors(list("apiGroups"), `${at}.apiGroups`, "API groups"),
    ...wildcardErrors(list("apiVersions"), `${at}.apiVersions`, "API versions"),
    ...list("apiVersions").flatMap((word, index) => (word ? [] : [required(`${at}.apiVersions[${index}]`)])),
    ...(list("resources").length > 0 ? [] : [required(`${at}.resources`)]),
    ...list("resources").flatMap((word, index) => (word ? [] : [required(`${at}.resources[${index}]`)])),
    ...optionalWordErrors(`${at}.scope`, scope, scopes),
  ];
}

function wildcardErrors(words: readonly string[], field: string, what: string): FieldError[] {
  if (words.length === 0) return [required(field)];
  if (words.length === 1 || !words.includes("*")) return [];
  return [invalid(field, words, `if '*' is present, must not specify other ${what}`)];
}

const mostConditions = 64;

/** Returns the errors in the conditions of a webhook or policy. Loads CEL, a large library, for the first condition. */
export async function matchConditionErrors(
  conditions: readonly Fields[],
  at: string,
  { params }: { readonly params: boolean },
): Promise<FieldError[]> {
  if (conditions.length === 0) return [];
  const { admissionProblem, admissionVariables } =
    await import("../../../apimachinery/cel/admission/admission-expression.ts");
  const variables = admissionVariables({ params, authorizer: true });
  const names = new Set<unknown>();
  const errors = conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : [];
  // Compiling takes a while.
  await nextTurn();
  for (const [index, { name = "", expression = "" }] of conditions.slice(0, mostConditions).entries()) {
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
