import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { type Snapshot, storageKey } from "../apiserver/storage/store.ts";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { kubernetesVersion, releaseOf } from "../apimachinery/kubernetes-version.ts";
import { once } from "../apimachinery/once.ts";
import { packageFile } from "../apimachinery/package-file.ts";

/**
 * Returns a saved state with the default roles and bindings that it lacks: an older version knew fewer. Returns the same
 * state if it lacks none.
 */
export function completeRoles(saved: Snapshot, defaults: Snapshot): Snapshot {
  const resourceVersion = `${saved.revision + 1}`;
  const objects = { ...saved.objects };
  for (const [resource, expected] of Object.entries(defaults.objects)) {
    const known = objects[resource] ?? {};
    const missing = Object.entries(expected).filter(([key]) => known[key] === undefined);
    const added = missing.map(([key, role]) => [key, { ...role, metadata: { ...role.metadata, resourceVersion } }]);
    if (added.length > 0)
      objects[resource] = { ...known, ...(Object.fromEntries(added) as Snapshot["objects"][string]) };
  }
  const isComplete = Object.keys(objects).every((resource) => objects[resource] === saved.objects[resource]);
  return isComplete ? saved : { ...saved, revision: saved.revision + 1, objects };
}

const group = "rbac.authorization.k8s.io";
const kinds = {
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
  roles: "Role",
  rolebindings: "RoleBinding",
} as const;

type RoleData = Readonly<Record<keyof typeof kinds, readonly DefaultRole[]>>;

/** A role or a binding, without the fields that all of them share. */
interface DefaultRole {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [content: string]: unknown;
}

/**
 * Returns the initial objects of a cluster except for its namespaces: the roles of a real server, and their bindings. A
 * controller fills the rules of aggregated roles. They are read from the file on demand.
 */
export function defaultRoles(now: string, version: string = kubernetesVersion): Snapshot {
  const file = packageFile(`src/sandbox/default-roles-${releaseOf(version)}.json`);
  const data = once(() => JSON.parse(readFileSync(file, "utf8")) as RoleData);
  const objects: Snapshot["objects"] = {};
  for (const [plural, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const get = once(() => {
      const entries = data()[plural].map((role) => [storageKey(role.namespace, role.name), objectOf(kind, role, now)]);
      return Object.fromEntries(entries) as Snapshot["objects"][string];
    });
    Object.defineProperty(objects, `${group}/${plural}`, { get, enumerable: true, configurable: true });
  }
  return { revision: 1, objects };
}

function objectOf(kind: string, { name, namespace, labels, ...content }: DefaultRole, now: string): UnstructuredObject {
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace && { namespace }),
      uid: randomUUID(),
      creationTimestamp: now,
      resourceVersion: "1",
      labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    },
    ...(content["aggregationRule"] !== undefined && { rules: null }),
    ...content,
  };
}
