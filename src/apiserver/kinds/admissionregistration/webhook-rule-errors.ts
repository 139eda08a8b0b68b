import { type Fields } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/schema/field-error.ts";
import { optionalWordErrors, wordErrors } from "../rules/value-errors.ts";

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
