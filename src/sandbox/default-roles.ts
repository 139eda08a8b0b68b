import { randomUUID } from "node:crypto";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Snapshot } from "../apiserver/storage/snapshot.ts";

const group = "rbac.authorization.k8s.io";
interface DefaultRole {
  readonly name: string;
  readonly rules: readonly object[];
  readonly groups: readonly string[];
}

const reviews = (apiGroup: string, ...resources: string[]) => ({ apiGroups: [apiGroup], resources, verbs: ["create"] });

const aboutTheServer = ["/healthz", "/livez", "/readyz", "/version", "/version/"];

/** What every cluster has from the start: everybody may look around and ask what they may do. */
const roles: readonly DefaultRole[] = [
  {
    name: "cluster-admin",
    rules: [
      { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
      { nonResourceURLs: ["*"], verbs: ["*"] },
    ],
    groups: ["system:masters"],
  },
  {
    name: "system:basic-user",
    rules: [
      reviews("authorization.k8s.io", "selfsubjectaccessreviews", "selfsubjectrulesreviews"),
      reviews("authentication.k8s.io", "selfsubjectreviews"),
    ],
    groups: ["system:authenticated"],
  },
  {
    name: "system:discovery",
    rules: [
      {
        nonResourceURLs: ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", ...aboutTheServer],
        verbs: ["get"],
      },
    ],
    groups: ["system:authenticated"],
  },
  {
    name: "system:public-info-viewer",
    rules: [{ nonResourceURLs: aboutTheServer, verbs: ["get"] }],
    groups: ["system:authenticated", "system:unauthenticated"],
  },
];

/** What a cluster holds from the start besides its namespaces: roles for everybody, and their bindings. */
export function defaultRoles(now: string): Snapshot {
  const entries = (make: (role: DefaultRole) => object): Record<string, UnstructuredObject> =>
    Object.fromEntries(
      roles.map((role) => {
        const metadata = { name: role.name, uid: randomUUID(), creationTimestamp: now, resourceVersion: "1" };
        return [role.name, { metadata, ...make(role) }];
      }),
    );
  const apiVersion = `${group}/v1`;
  return {
    format: 1,
    revision: 1,
    objects: {
      [`${group}/clusterroles`]: entries(({ rules }) => ({ apiVersion, kind: "ClusterRole", rules })),
      [`${group}/clusterrolebindings`]: entries(({ name, groups }) => ({
        apiVersion,
        kind: "ClusterRoleBinding",
        roleRef: { apiGroup: group, kind: "ClusterRole", name },
        subjects: groups.map((subject) => ({ apiGroup: group, kind: "Group", name: subject })),
      })),
    },
  };
}
