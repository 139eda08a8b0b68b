import { invalid, notSupported, required, type FieldError } from "../../apimachinery/schema/field-error.ts";
import { type Fields, textOf } from "./defaults/fields.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** What is wrong with what a webhook is asked about. */
export function webhookRuleErrors(rule: Fields, at: string): FieldError[] {
  const list = (name: string): string[] => (rule[name] ?? []) as string[];
  const { scope } = rule;
  return [
    ...wordErrors(list("operations"), `${at}.operations`, "operations"),
    ...list("operations").flatMap((word, index) =>
      operations.includes(word) ? [] : [notSupported(`${at}.operations[${index}]`, word, operations)],
    ),
    ...wordErrors(list("apiGroups"), `${at}.apiGroups`, "API groups"),
    ...wordErrors(list("apiVersions"), `${at}.apiVersions`, "API versions"),
    ...list("apiVersions").flatMap((word, index) => (word ? [] : [required(`${at}.apiVersions[${index}]`)])),
    ...resourceErrors(list("resources"), `${at}.resources`),
    ...(scope === undefined || scopes.includes(textOf(scope)) ? [] : [notSupported(`${at}.scope`, scope, scopes)]),
  ];
}

function wordErrors(words: readonly string[], field: string, what: string): FieldError[] {
  if (words.length === 0) return [required(field)];
  if (words.length === 1 || !words.includes("*")) return [];
  return [invalid(field, words, `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors = resources.flatMap((resource, index) => (resource ? [] : [required(`${field}[${index}]`)]));
  const refuse = (which: string): FieldError =>
    invalid(field, resources, `if '${which}' is present, must not specify other resources`);
  if (resources.length > 1 && resources.includes("*/*")) errors.push(refuse("*/*"));
  if (resources.length > 1 && resources.includes("*") && resources.some((name) => name !== "*" && !name.includes("/")))
    errors.push(invalid(field, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}
