import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";

const group = "rbac.authorization.k8s.io";

/** RoleBinding and ClusterRoleBinding. The role cannot change: that would silently give the subjects other rights. */
export const roleBinding: BuiltinKind = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  nameRule: "path",
  applyDefaults(binding) {
    const roleRef = childIf(binding, "roleRef");
    if (roleRef && !roleRef["apiGroup"]) roleRef["apiGroup"] = group;
    for (const subject of items(binding, "subjects"))
      if (subject["kind"] !== "ServiceAccount" && !subject["apiGroup"]) subject["apiGroup"] = group;
  },
  validate: (binding, old) => [
    ...roleErrors(binding),
    ...items(binding, "subjects").flatMap((subject, index) =>
      subjectErrors(subject, `subjects[${index}]`, binding["kind"] === "RoleBinding"),
    ),
    ...changeErrors(binding, old),
  ],
  printer: printer("Role|Age|Users*|Groups*|ServiceAccounts*", (object, now) => [
    `${textAt(object, "roleRef", "kind")}/${textAt(object, "roleRef", "name")}`,
    creationAge(object, now),
    subjects(object, "User"),
    subjects(object, "Group"),
    subjects(object, "ServiceAccount"),
  ]),
};

function roleErrors(binding: UnstructuredObject): FieldError[] {
  const { apiGroup, kind = "", name = "" } = (childIf(binding, "roleRef") ?? {}) as Partial<Record<string, string>>;
  const kinds = binding["kind"] === "RoleBinding" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...wordErrors("roleRef.apiGroup", apiGroup ?? "", [group]),
    ...wordErrors("roleRef.kind", kind, kinds),
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
  const groupErrors = (wanted: string): FieldError[] => wordErrors(`${at}.apiGroup`, apiGroup, [wanted]);
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
  // A real server shows the fields of Go's internal type.
  return [invalid("roleRef", { APIGroup: apiGroup, Kind: kind, Name: name }, "cannot change roleRef")];
}

function subjects(object: Fields, kind: string): string {
  return listAt(object, "subjects")
    .filter((subject) => subject["kind"] === kind)
    .map((subject) => (kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/` : "") + textAt(subject, "name"))
    .join(", ");
}
