import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isCrd } from "../../client/manifests/install-crds.ts";
import type { PolicyRule } from "../../apiserver/access/authorization.ts";
import { isObject } from "../../apimachinery/is-object.ts";

/** What a rule of a role allows to read: `*` stands for all groups or resources. */
export interface WantedResource {
  readonly group: string;
  readonly plural: string;
  /** The only objects that the rule allows; empty for all. */
  readonly names: readonly string[];
  /** The only namespace in which a Role allows it. */
  readonly namespace?: string | undefined;
}

/** The resources of every copy: what decides whether and how requests are served. */
export const basicResources: readonly WantedResource[] = [
  "namespaces",
  "customresourcedefinitions.apiextensions.k8s.io",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  "clusterroles.rbac.authorization.k8s.io",
  "clusterrolebindings.rbac.authorization.k8s.io",
  "roles.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
].map(parseResource);

/** Groups whose objects are questions or measurements, and events and leases, which come and go. */
const transient =
  /^(authentication\.k8s\.io|authorization\.k8s\.io|metrics\.k8s\.io|[a-z]+\.metrics\.k8s\.io|events\.k8s\.io)\/|^\/(events|bindings|componentstatuses)$|^coordination\.k8s\.io\/(leases|leasecandidates)$/;

/** Reports whether a resource has nothing that a plan needs. */
export function isTransient(group: string, plural: string): boolean {
  return transient.test(`${group}/${plural}`);
}

/** Reports whether an object is a Role or a ClusterRole. */
export function isRole({ apiVersion = "", kind }: UnstructuredObject): boolean {
  return apiVersion.startsWith("rbac.authorization.k8s.io/") && (kind === "ClusterRole" || kind === "Role");
}

/** Returns what the rules of roles allow to read or write, and what CRDs define, without subresources. */
export function wantedBy(objects: readonly UnstructuredObject[]): WantedResource[] {
  const ofRoles = objects
    .filter(isRole)
    .flatMap(({ metadata: { namespace }, rules }) =>
      ((rules ?? []) as readonly PolicyRule[]).flatMap(({ apiGroups = [], resources = [], resourceNames = [] }) =>
        apiGroups.flatMap((group) =>
          resources
            .filter((plural) => !plural.includes("/") && !isTransient(group, plural))
            .map((plural) => ({ group, plural, names: resourceNames, namespace })),
        ),
      ),
    );
  const ofCrds = objects.filter(isCrd).map(({ spec }) => {
    const { group, names } = spec as { group: string; names: { plural: string } };
    return { group, plural: names.plural, names: [] };
  });
  return [...ofRoles, ...ofCrds];
}

/** Parses a resource: `configmaps` or `deployments.apps`. */
export function parseResource(text: string): WantedResource {
  const [plural = "", ...group] = text.toLowerCase().split(".");
  return { group: group.join("."), plural, names: [] };
}

/** An object that a pod reads or mounts. */
interface PodReference {
  readonly plural: "secrets" | "configmaps" | "persistentvolumeclaims";
  readonly namespace: string;
  readonly name: string;
}

/** The fields of a pod that name an object, and the member of the value with its name. */
const fields: Readonly<Record<string, readonly [plural: PodReference["plural"], member: string]>> = {
  secretKeyRef: ["secrets", "name"],
  secretRef: ["secrets", "name"],
  secret: ["secrets", "secretName"],
  configMapKeyRef: ["configmaps", "name"],
  configMapRef: ["configmaps", "name"],
  configMap: ["configmaps", "name"],
  persistentVolumeClaim: ["persistentvolumeclaims", "claimName"],
};

/** Returns what the pods of an object refer to, in any field that is named as in a pod. */
export function referencesOf({ metadata: { namespace }, spec }: UnstructuredObject): PodReference[] {
  if (namespace === undefined) return [];
  const found: PodReference[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isObject(value)) return;
    for (const [field, member] of Object.entries(value)) {
      const [plural, nameField] = Object.hasOwn(fields, field) ? fields[field]! : [];
      const name = nameField !== undefined && isObject(member) ? member[nameField] : undefined;
      if (plural && typeof name === "string" && name !== "") found.push({ plural, namespace, name });
      if (field === "imagePullSecrets" && Array.isArray(member))
        for (const item of member)
          if (isObject(item) && typeof item["name"] === "string")
            found.push({ plural: "secrets", namespace, name: item["name"] });
      visit(member);
    }
  };
  visit(spec);
  return found;
}
