import { type Fields, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { ifParent, must, required } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";

/** Role and ClusterRole; only the latter can name paths that are no resources. */
export const role: BuiltinKind = {
  createsOnUpdate: true,
  nameRule: "path",
  // Go writes null for no rules.
  applyDefaults: (role) => void (role["rules"] ??= null),
  prepareCreate: withoutEmptyRules,
  prepareUpdate: withoutEmptyRules,
  validate: kindRules({
    "rules[]": {
      "(apiGroups|resources)": ifParent((rule) => !hasPaths(rule), required()),
      nonResourceURLs: must(
        (_urls, rule, { kind }) => !hasPaths(rule) || (kind === "ClusterRole" && !hasResources(rule)),
        "cannot apply to resources, nor to a namespace",
      ),
    },
  }),
};

/** Replaces an empty list with null: the storage of a real server does not distinguish them. */
function withoutEmptyRules(role: UnstructuredObject): void {
  if (items(role, "rules").length === 0) role["rules"] = null;
}

const hasPaths = ({ nonResourceURLs }: Fields): boolean => Array.isArray(nonResourceURLs) && nonResourceURLs.length > 0;
const hasResources = (rule: Fields): boolean =>
  ["apiGroups", "resources", "resourceNames"].some((name) => items(rule, name).length > 0);
