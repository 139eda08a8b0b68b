import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/schema/field-error.ts";

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
  const errors: FieldError[] = [];
  const [wildParts, wildResources] = [new Set<string>(), new Set<string>()];
  // As in a real server, only the last one without a subresource counts.
  let last = "*";
  for (const [index, name] of resources.entries()) {
    const at = `${field}[${index}]`;
    if (name === "") {
      errors.push(required(at));
      continue;
    }
    const slash = name.indexOf("/");
    if (slash < 0) {
      last = name;
      continue;
    }
    const [resource, part] = [name.slice(0, slash), name.slice(slash + 1)];
    const covered = [wildParts.has(resource) && `${resource}/*`, wildResources.has(part) && `*/${part}`];
    for (const wild of covered)
      if (wild) errors.push(invalid(at, name, `if '${wild}' is present, must not specify ${name}`));
    if (part === "*") wildParts.add(resource);
    if (resource === "*") wildResources.add(part);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && last !== "*")
    errors.push(invalid(field, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}
