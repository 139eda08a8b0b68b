import { createHash } from "node:crypto";
import { equalJson } from "../../apimachinery/equal.ts";
import type { KubeObject, ObjectKey } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../manifests/install-crds.ts";
import type { CsvObject, OperatorGroup, PolicyRule } from "../../manifests/olm-kinds.ts";
import { ClusterRoleKind } from "./account-rules.ts";
import { base62 } from "./owned-names.ts";

// The cluster roles by which an administrator lets people use the kinds of operators.

const verbs = { admin: ["*"], edit: ["create", "update", "patch", "delete"], view: ["get", "list", "watch"] } as const;
const levels = ["admin", "edit", "view"] as const;
type Level = (typeof levels)[number];

/** Creates the roles for the kinds that a CSV owns. They belong to the CRD, so that they outlive the CSV. */
export async function grantOwnedKinds(client: Client, { spec }: CsvObject): Promise<void> {
  for (const { name, version, kind } of spec.customresourcedefinitions?.owned ?? []) {
    const crd = await client.getOrUndefined(CustomResourceDefinition, { name });
    if (!crd) continue;
    const [, resource = "", group = ""] = /^([^.]*)\.(.*)$/.exec(name) ?? [];
    const owner = {
      apiVersion: "apiextensions.k8s.io/v1",
      // Its case is OLM's.
      kind: "customresourcedefinition",
      name,
      uid: crd.metadata.uid ?? "",
      controller: false,
      blockOwnerDeletion: false,
    };
    const put = (suffix: string, level: Level, rule: PolicyRule): Promise<void> =>
      putRole(client, {
        metadata: {
          name: `${name}-${version}-${suffix}`,
          labels: {
            [`rbac.authorization.k8s.io/aggregate-to-${level}`]: "true",
            [aggregationLabel(`${kind}.${version}.${group}`, level)]: "true",
            "olm.managed": "true",
          },
          ownerReferences: [owner],
        },
        rules: [rule],
      });
    for (const level of levels)
      await put(level, level, { verbs: [...verbs[level]], apiGroups: [group], resources: [resource] });
    const apiGroups = ["apiextensions.k8s.io"];
    const resources = ["customresourcedefinitions"];
    await put("crdview", "view", { verbs: ["get"], apiGroups, resources, resourceNames: [name] });
  }
}

async function putRole(client: Client, role: KubeObject & { rules: PolicyRule[] }): Promise<void> {
  const { name = "" } = role.metadata;
  const known = await client.getOrUndefined(ClusterRoleKind, { name });
  if (!known) await client.create(ClusterRoleKind, role);
  else if (!equalJson(partsOf(known), partsOf(role)))
    await client.update(ClusterRoleKind, {
      ...role,
      metadata: { ...known.metadata, ...role.metadata },
    });
}

function partsOf({ metadata, rules }: KubeObject & { rules?: PolicyRule[] }): object {
  return { labels: metadata.labels, owners: metadata.ownerReferences?.map(({ uid }) => uid), rules };
}

/** Creates the roles of a group, into which Kubernetes aggregates those for the APIs, as `Kind.version.group`. */
export async function keepGroupRoles(client: Client, group: OperatorGroup, apis: readonly string[]): Promise<void> {
  for (const level of levels) {
    const { name = "", namespace = "" } = group.metadata;
    const hash = createHash("sha224").update(`${namespace}/${name}/${level}`).digest("hex");
    const role = `olm.og.${name}.${level}-${base62(hash)}`;
    const labels = { ...groupLabels({ namespace, name }), "olm.managed": "true" };
    const selected = [...new Set(apis.map((api) => aggregationLabel(api, level)))].toSorted();
    const aggregationRule = { clusterRoleSelectors: selected.map((label) => ({ matchLabels: { [label]: "true" } })) };
    const more = selected.length > 0 ? { aggregationRule } : {};
    const known = await client.getOrUndefined(ClusterRoleKind, { name: role });
    if (!known) await client.create(ClusterRoleKind, { metadata: { name: role, labels }, ...more });
    else if (!equalJson(known.aggregationRule, more.aggregationRule)) {
      const { aggregationRule: _, ...rest } = known;
      await client.update(ClusterRoleKind, { ...rest, ...more });
    }
  }
}

/** Deletes the roles of a group that is gone. */
export async function removeGroupRoles(client: Client, group: ObjectKey): Promise<void> {
  const { items } = await client.list(ClusterRoleKind, { labels: groupLabels(group) });
  for (const { metadata } of items) await client.delete(ClusterRoleKind, { name: metadata.name }).catch(ignoreNotFound);
}

function groupLabels({ namespace = "", name }: ObjectKey): Record<string, string> {
  return { "olm.owner": name, "olm.owner.kind": "OperatorGroup", "olm.owner.namespace": namespace };
}

/** The label of a role for an API that the roles of groups select. */
function aggregationLabel(api: string, level: Level): string {
  return `olm.opgroup.permissions/aggregate-to-${fnv1a(api)}-${level}`;
}

/** Returns the 64 bits of FNV-1a in hexadecimal digits. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16);
}
