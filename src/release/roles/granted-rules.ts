import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { rbacGroup, roleOf, subjectFor, type PolicyRule } from "../../apiserver/access/authorization.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { groupsOf } from "../../codegen/lint/lint-roles.ts";
import { rbac } from "../../codegen/markers/package.ts";
import { valuesOf, type ParsedMarker } from "../../codegen/source/parse-markers.ts";

/** A rule that the operator has by a binding. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  /** The namespaces in which it has the rule; absent if everywhere. */
  readonly namespaces: readonly string[] | undefined;
  readonly role: string;
  /** `config/rbac/role.yaml, document 2`, or `controllers/cache_controller.ts:31`. */
  readonly place: string;
  readonly marker?: ParsedMarker;
}

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the rules of the roles among some objects that bindings among them give to an account. */
export function rulesOfManifests(manifests: readonly Manifest[], account: Account): GrantedRule[] {
  const seen = new Map<string, number>();
  return manifests.flatMap(({ file, object }) => {
    const document = (seen.get(file) ?? 0) + 1;
    seen.set(file, document);
    if (!isOfRbac(object) || !["Role", "ClusterRole"].includes(object.kind ?? "")) return [];
    const name = object.metadata.name ?? "";
    const namespaces = namespacesOf(object, manifests, account);
    if (namespaces?.length === 0) return [];
    const place = `${file}, document ${document}`;
    const rules = (object["rules"] ?? []) as readonly PolicyRule[];
    return rules.map((rule) => ({ rule, namespaces, role: name, place }));
  });
}

/** Returns the rules of markers, in the namespaces to which the bindings of the role restrict them. */
export function rulesOfMarkers(
  markers: readonly ParsedMarker[],
  manifests: readonly Manifest[],
  { account, roleName }: { readonly account: Account; readonly roleName: string },
): GrantedRule[] {
  return markers.flatMap((marker) => {
    const [value] = valuesOf([marker], rbac);
    if (!value) return [];
    const { groups, resources, resourceNames, urls, verbs, namespace, roleName: role = roleName } = value;
    const metadata = { name: role, ...(namespace !== undefined && { namespace: placeOf(namespace, account) }) };
    const object = { kind: namespace === undefined ? "ClusterRole" : "Role", metadata };
    const bound = namespacesOf(object, manifests, account);
    // Of a role without a binding, `run --local --rbac` says that it has none.
    const own = metadata.namespace === undefined ? undefined : [metadata.namespace];
    return {
      rule: {
        verbs,
        ...(groups && { apiGroups: groupsOf(groups) }),
        ...(resources && { resources }),
        ...(resourceNames && { resourceNames }),
        ...(urls && { nonResourceURLs: urls }),
      },
      namespaces: bound?.length === 0 ? own : bound,
      role,
      place: `${marker.file.path}:${marker.file.position(marker.offset).line}`,
      marker,
    };
  });
}

function placeOf(namespace: string, account: Account): string {
  return namespace === "system" ? account.namespace : namespace;
}

type Role = Pick<UnstructuredObject, "metadata"> & { readonly kind?: string };

/** Returns the namespaces in which an account has a role: none without a binding, `undefined` for all. */
function namespacesOf(role: Role, manifests: readonly Manifest[], account: Account): string[] | undefined {
  const user = serviceAccountUser(account.namespace, account.name);
  const bindings = manifests
    .map(({ object }) => ({ ...object, metadata: { ...object.metadata, namespace: namespaceOf(object, account) } }))
    .filter((object) => isOfRbac(object) && object.kind?.endsWith("Binding") && subjectFor(object, user))
    .filter((binding) => {
      const { kind, name } = roleOf(binding);
      const isNear = role.kind === "ClusterRole" || namespaceOf(binding, account) === namespaceOf(role, account);
      return kind === role.kind && name === role.metadata.name && isNear;
    });
  if (bindings.some(({ kind }) => kind === "ClusterRoleBinding")) return undefined;
  return [...new Set(bindings.map((binding) => namespaceOf(binding, account)))];
}

/** An object without a namespace is applied in the namespace of the operator. */
function namespaceOf({ metadata }: Pick<UnstructuredObject, "metadata">, account: Account): string {
  return metadata.namespace ?? account.namespace;
}

function isOfRbac({ apiVersion = "" }: UnstructuredObject): boolean {
  return apiVersion.startsWith(`${rbacGroup}/`);
}
