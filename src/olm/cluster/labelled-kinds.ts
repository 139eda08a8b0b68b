import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

const v1Kind = (group: string, kind: string, scope: Kind["scope"] = "Cluster"): Kind<UnstructuredObject> =>
  defineKind({ group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, scope });
export const RoleBindingKind: Kind<UnstructuredObject> = v1Kind(
  "rbac.authorization.k8s.io",
  "RoleBinding",
  "Namespaced",
);

/** Kinds of the objects that OLM labels with their CSV or group, which cannot own them: it is in another namespace. */
export const labelledKinds: readonly Kind[] = [
  // While the server behind an APIService is gone, no namespace can be deleted.
  v1Kind("apiregistration.k8s.io", "APIService"),
  v1Kind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
  v1Kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
  v1Kind("rbac.authorization.k8s.io", "ClusterRoleBinding"),
  v1Kind("rbac.authorization.k8s.io", "ClusterRole"),
  RoleBindingKind,
  v1Kind("rbac.authorization.k8s.io", "Role", "Namespaced"),
];
