import { items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, required } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { BuiltinKind } from "../builtin-kind.ts";

/** Role and ClusterRole; only the latter can name paths that are no resources. */
export const role: BuiltinKind = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  nameRule: "path",
  // Go writes null for no rules.
  applyDefaults: (role) => void (role["rules"] ??= null),
  prepareCreate: withoutEmptyRules,
  prepareUpdate: withoutEmptyRules,
  validate: ruleErrors,
};

/** Replaces an empty list with null: the storage of a real server does not distinguish them. */
function withoutEmptyRules(role: UnstructuredObject): void {
  if (items(role, "rules").length === 0) role["rules"] = null;
}

function ruleErrors(role: UnstructuredObject): StatusCause[] {
  return items(role, "rules").flatMap((rule, index) => {
    const at = `rules[${index}]`;
    const has = (field: string): boolean => items(rule, field).length > 0;
    const errors: StatusCause[] = [];
    if (!has("verbs")) errors.push(required(`${at}.verbs`, "verbs must contain at least one value"));
    if (has("nonResourceURLs")) {
      if (role.metadata.namespace) {
        const why = "namespaced rules cannot apply to non-resource URLs";
        errors.push(invalid(`${at}.nonResourceURLs`, rule["nonResourceURLs"], why));
      }
      const why = "rules cannot apply to both regular resources and non-resource URLs";
      if (has("apiGroups") || has("resources") || has("resourceNames"))
        errors.push(invalid(`${at}.nonResourceURLs`, rule["nonResourceURLs"], why));
      return errors;
    }
    if (!has("apiGroups"))
      errors.push(required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
    if (!has("resources")) errors.push(required(`${at}.resources`, "resource rules must supply at least one resource"));
    return errors;
  });
}
