import { type Fields, items, childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { ifParent, must, required, enumOf, fieldRules, format } from "../rules/field-rules.ts";
import { kindRules, immutable } from "../rules/immutable.ts";
import { listAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";

/** Role and ClusterRole. Only a ClusterRole can name non-resource URLs. */
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

const group = "rbac.authorization.k8s.io";

/** RoleBinding and ClusterRoleBinding. The role cannot change: that would silently give the subjects other rights. */
export const roleBinding: BuiltinKind = {
  createsOnUpdate: true,
  nameRule: "path",
  applyDefaults(binding) {
    const roleRef = childIf(binding, "roleRef");
    if (roleRef && !roleRef["apiGroup"]) roleRef["apiGroup"] = group;
    for (const subject of items(binding, "subjects"))
      if (subject["kind"] !== "ServiceAccount" && !subject["apiGroup"]) subject["apiGroup"] = group;
  },
  validate: (binding, old) => [...bindingErrors({ roleRef: {}, ...binding }), ...immutable(binding, old, ["roleRef"])],
  printer: printer("Role|Age|Users*|Groups*|ServiceAccounts*", (object) => [
    `${textAt(object, "roleRef", "kind")}/${textAt(object, "roleRef", "name")}`,
    subjects(object, "User"),
    subjects(object, "Group"),
    subjects(object, "ServiceAccount"),
  ]),
};

const isAccount = ({ kind }: Fields): boolean => kind === "ServiceAccount";

const bindingErrors = fieldRules({
  roleRef: {
    apiGroup: enumOf(group),
    kind: must(
      (kind, _role, { kind: own }) => kind === "ClusterRole" || (kind === "Role" && own === "RoleBinding"),
      "must be ClusterRole, or Role for a RoleBinding",
    ),
    name: format("k8s-path-segment-name"),
  },
  "subjects[]": {
    kind: enumOf("ServiceAccount", "User", "Group"),
    name: ifParent(isAccount, format("k8s-long-name")),
    apiGroup: must((value, subject) => value === (isAccount(subject) ? "" : group), "must be that of the kind"),
    namespace: ifParent((subject, { kind }) => isAccount(subject) && kind !== "RoleBinding", required()),
  },
});

function subjects(object: Fields, kind: string): string {
  return listAt(object, "subjects")
    .filter((subject) => subject["kind"] === kind)
    .map((subject) => (kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/` : "") + textAt(subject, "name"))
    .join(", ");
}
