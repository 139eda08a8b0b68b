import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, UnstructuredObject } from "../../apimachinery/meta.ts";

const rbac = "rbac.authorization.k8s.io";

function v1Kind<T extends KubeObject>(group: string, kind: string, scope: Kind["scope"] = "Namespaced"): Kind<T> {
  return defineKind({ group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, scope });
}

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
}

export const PodKind: Kind<UnstructuredObject & { status?: { phase?: string; podIP?: string } }> = v1Kind("", "Pod");
export const ConfigMapKind: Kind<UnstructuredObject & { binaryData?: Record<string, string> }> = v1Kind(
  "",
  "ConfigMap",
);
export const EventKind: Kind<Event> = v1Kind("", "Event");
export const DeploymentKind: Kind<UnstructuredObject> = v1Kind("apps", "Deployment");
export const RoleBindingKind: Kind<UnstructuredObject> = v1Kind(rbac, "RoleBinding");

/** Kinds of the objects that OLM labels with their CSV or group, which cannot own them: it is in another namespace. */
export const labelledKinds: readonly Kind[] = [
  // While the server behind an APIService is gone, no namespace can be deleted.
  v1Kind("apiregistration.k8s.io", "APIService", "Cluster"),
  v1Kind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "Cluster"),
  v1Kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration", "Cluster"),
  v1Kind(rbac, "ClusterRoleBinding", "Cluster"),
  v1Kind(rbac, "ClusterRole", "Cluster"),
  RoleBindingKind,
  v1Kind(rbac, "Role"),
];
