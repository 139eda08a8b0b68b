import { equalJson } from "../apimachinery/equal.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { rulesNotHeld } from "../apiserver/access/check-escalation.ts";
import type { PolicyRule } from "../apiserver/access/authorization.ts";
import { type Snapshot, storageKey } from "../apiserver/storage/store.ts";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { kubernetesVersion, releaseOf } from "../apimachinery/kubernetes-version.ts";
import { once } from "../apimachinery/once.ts";
import { packageFile } from "../apimachinery/package-file.ts";

/**
 * Returns a saved state with what it lacks of the default roles and bindings, as a server completes them at each start: an
 * older version knew fewer rules. What was added to them stays. Returns the same state if it lacks nothing.
 */
export function completeRoles(saved: Snapshot, defaults: Snapshot): Snapshot {
  const revision = saved.revision + 1;
  const objects = { ...saved.objects };
  let isComplete = true;
  for (const [resource, expected] of Object.entries(defaults.objects)) {
    const entries = { ...objects[resource] };
    for (const [key, role] of Object.entries(expected)) {
      const completed = complete(entries[key], role);
      if (completed === entries[key]) continue;
      isComplete = false;
      entries[key] = { ...completed, metadata: { ...completed.metadata, resourceVersion: `${revision}` } };
    }
    objects[resource] = entries;
  }
  return isComplete ? saved : { ...saved, revision, objects };
}

/** A role or a binding. */
interface Role extends UnstructuredObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly object[] };
  readonly roleRef?: object;
  readonly subjects?: readonly object[];
}

function complete(saved: Role | undefined, expected: Role): Role {
  if (!saved || !equalJson(saved.roleRef, expected.roleRef)) return expected;
  const { annotations, labels } = saved.metadata;
  if (annotations?.["rbac.authorization.kubernetes.io/autoupdate"] === "false") return saved;
  const rules = rulesNotHeld(saved.rules ?? [], expected.rules ?? []);
  const subjects = missingOf(saved.subjects, expected.subjects);
  const selectors = missingOf(
    saved.aggregationRule?.clusterRoleSelectors,
    expected.aggregationRule?.clusterRoleSelectors,
  );
  const completed: Role = {
    ...saved,
    metadata: {
      ...saved.metadata,
      annotations: { ...expected.metadata.annotations, ...annotations },
      labels: { ...expected.metadata.labels, ...labels },
    },
    ...(rules.length > 0 && { rules: [...(saved.rules ?? []), ...rules] }),
    ...(subjects.length > 0 && { subjects: [...(saved.subjects ?? []), ...subjects] }),
    ...(selectors.length > 0 && {
      aggregationRule: {
        clusterRoleSelectors: [...(saved.aggregationRule?.clusterRoleSelectors ?? []), ...selectors],
      },
    }),
  };
  return equalJson(completed, saved) ? saved : completed;
}

function missingOf(held: readonly object[] = [], wanted: readonly object[] = []): object[] {
  return wanted.filter((each) => !held.some((other) => equalJson(other, each)));
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
