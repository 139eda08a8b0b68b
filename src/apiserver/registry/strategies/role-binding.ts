import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, notSupported, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { defaultRoleBinding } from "../defaults/policy-defaults.ts";
import { childIf, items, type Fields } from "../../../apimachinery/fields.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";
import type { Strategy } from "../strategy.ts";

/** The role of a binding can't change: that would give its subjects other rights behind their back. */
export const roleBindingStrategy: Strategy = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  nameRule: "path",
  applyDefaults: defaultRoleBinding,
  validate: (binding, old) => [
    ...roleErrors(binding),
    ...items(binding, "subjects").flatMap((subject, index) =>
      subjectErrors(subject, `subjects[${index}]`, binding["kind"] === "RoleBinding"),
    ),
    ...changeErrors(binding, old),
  ],
};

const group = "rbac.authorization.k8s.io";

function roleErrors(binding: UnstructuredObject): FieldError[] {
  const { apiGroup, kind = "", name = "" } = (childIf(binding, "roleRef") ?? {}) as Partial<Record<string, string>>;
  const kinds = binding["kind"] === "RoleBinding" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...(apiGroup === group ? [] : [notSupported("roleRef.apiGroup", apiGroup ?? "", [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported("roleRef.kind", kind, kinds)]),
    ...pathNameErrors("roleRef.name", name),
  ];
}

function pathNameErrors(field: string, name: string): FieldError[] {
  if (!name) return [required(field)];
  return ["/", "%"]
    .filter((letter) => name.includes(letter))
    .map((letter) => invalid(field, name, `may not contain '${letter}'`));
}

function subjectErrors(subject: Fields, at: string, isNamespaced: boolean): FieldError[] {
  const { kind = "", name = "", apiGroup = "", namespace } = subject as Partial<Record<string, string>>;
  const nameless = name ? [] : [required(`${at}.name`)];
  const groupErrors = (wanted: string): FieldError[] =>
    apiGroup === wanted ? [] : [notSupported(`${at}.apiGroup`, apiGroup, [wanted])];
  if (kind === "User" || kind === "Group") return [...nameless, ...groupErrors(group)];
  if (kind !== "ServiceAccount")
    return [...nameless, notSupported(`${at}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  return [
    ...nameless,
    ...(name ? dnsSubdomainErrors(`${at}.name`, name) : []),
    ...groupErrors(""),
    ...(namespace || isNamespaced ? [] : [required(`${at}.namespace`)]),
  ];
}

function changeErrors(binding: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  if (!old || equalJson(binding["roleRef"], old["roleRef"])) return [];
  const { apiGroup, kind, name } = childIf(binding, "roleRef") ?? {};
  // As Go names the fields of its internal type.
  return [invalid("roleRef", { APIGroup: apiGroup, Kind: kind, Name: name }, "cannot change roleRef")];
}
