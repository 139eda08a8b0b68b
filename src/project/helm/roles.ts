import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isHelperRole } from "./features.ts";
import type { Subject } from "./subject.ts";
import { Inline, embed, when, type Manifest } from "./template.ts";

/**
 * Returns the names of the roles that can be a Role or a ClusterRole, as `rbac.namespaced` says: the operator's own one
 * and those for users of the kinds. Paths of URLs need a ClusterRole; a name that both kinds of role have stays as it is.
 */
export function switchableRoles({ objects, prefix }: Subject): Set<string> {
  const roles = objects.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  const names = roles.filter(({ metadata, ...role }) => {
    const name = metadata.name ?? "";
    const rules = (role["rules"] ?? []) as { nonResourceURLs?: unknown }[];
    const isAlone = roles.filter((other) => other.metadata.name === name).length === 1;
    const isScoped = name === `${prefix}manager-role` || isHelperRole(name);
    return isScoped && isAlone && rules.every(({ nonResourceURLs }) => nonResourceURLs === undefined);
  });
  return new Set(names.map(({ metadata }) => metadata.name ?? ""));
}

/** Reports whether the operator's own role is a Role. */
export function isNamespaced({ objects, prefix }: Subject): boolean {
  return objects.some(({ kind, metadata }) => kind === "Role" && metadata.name === `${prefix}manager-role`);
}

const kindOf = (suffix: string): Inline =>
  new Inline(`{{ if .Values.rbac.namespaced }}${suffix}{{ else }}Cluster${suffix}{{ end }}`);

/** Makes the kind and the namespace of a role or of its binding depend on `rbac.namespaced`. */
export function switchScope(manifest: Manifest, object: UnstructuredObject, subject: Subject): Manifest {
  const { roleRef } = object as { roleRef?: { name: string } };
  const names = switchableRoles(subject);
  const isRole = object.kind === "Role" || object.kind === "ClusterRole";
  if (!names.has((isRole ? object.metadata.name : roleRef?.name) ?? "")) return manifest;
  const { namespace: _before, ...metadata } = manifest["metadata"] as Manifest;
  return {
    ...manifest,
    kind: kindOf(isRole ? "Role" : "RoleBinding"),
    metadata: { ...metadata, namespace: when(".Values.rbac.namespaced", embed("{{ .Release.Namespace }}")) },
    ...(roleRef ? { roleRef: { ...(manifest["roleRef"] as Manifest), kind: kindOf("Role") } } : {}),
  };
}
