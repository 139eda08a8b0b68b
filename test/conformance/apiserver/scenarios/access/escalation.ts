import {
  api,
  as,
  awaitGrant,
  bindCluster,
  bindHere,
  bodyOf,
  clusterRole,
  named,
  rbac,
  resourceRule,
  review,
  urlRule,
  user,
  type Rule,
} from "../../grants.ts";
import { merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { POST } from "../../requests.ts";

const wanted: Readonly<Record<string, readonly Rule[]>> = {
  nothing: [],
  "get-pods": [resourceRule([""], ["pods"], ["get"])],
  "read-pods": [resourceRule([""], ["pods", "services"], ["get", "list"])],
  "named-pod": [resourceRule([""], ["pods"], ["get"], ["a"])],
  "other-name": [resourceRule([""], ["pods"], ["get", "list"], ["a", "c"])],
  "apps-pods": [resourceRule(["apps", ""], ["pods"], ["list"])],
  "any-verb": [resourceRule([""], ["pods"], ["*"])],
  all: [resourceRule(["*"], ["*"], ["*"])],
  status: [resourceRule([""], ["pods/status", "pods/log", "nodes/log"], ["get"])],
  paths: [urlRule(["/healthz/etcd", "/version", "/metrics"], ["get", "post"])],
  "two-rules": [
    resourceRule([""], ["pods"], ["get"]),
    resourceRule([""], ["secrets"], ["get"]),
    resourceRule(["batch"], ["jobs"], ["create"]),
  ],
};

/** Rules that a writer has, and rules that the writer gives to others. */
const held: Readonly<Record<string, readonly Rule[]>> = {
  nothing: [],
  "get-pods": [resourceRule([""], ["pods"], ["get"])],
  "apps-pods": [resourceRule(["apps"], ["pods"], ["get", "list"])],
  "named-pods": [resourceRule([""], ["pods"], ["get", "list"], ["a", "b"])],
  split: [
    resourceRule([""], ["pods"], ["get"]),
    resourceRule([""], ["pods"], ["list"]),
    resourceRule([""], ["services"], ["get"]),
  ],
  stars: [resourceRule(["*"], ["*"], ["*"])],
  status: [resourceRule([""], ["*/status", "pods/log"], ["get"])],
  paths: [urlRule(["/healthz/*", "/version"], ["get"])],
};

const writeRoles = resourceRule(
  [api],
  ["clusterroles", "roles", "clusterrolebindings", "rolebindings"],
  ["create", "update", "patch", "get"],
);
const outcome = ({ kind, message }: { kind: string; message?: string }): unknown => message ?? kind;
const escalations: readonly Step[] = [
  ...Object.entries(held).flatMap(([name, rules]) => [
    clusterRole(name, [...rules, writeRoles]),
    bindCluster({ name, subject: user(name) }),
  ]),
  awaitGrant("paths", { verb: "get", path: "/version" }),
  ...Object.keys(held).flatMap((name) =>
    Object.entries(wanted).map(([role, rules]) =>
      POST(
        `${rbac}/clusterroles?dryRun=All`,
        { metadata: { name: named(`wanted-${role}`) }, rules },
        { headers: as(name), pick: (body: { kind: string; message?: string }) => [name, role, outcome(body)] },
      ),
    ),
  ),
  ...Object.entries(wanted).map(([role, rules]) => clusterRole(`wanted-${role}`, rules)),
  // A server reads roles from memory that follows a moment later.
  { ...review("stars", { verb: "get", resource: "pods" }), until: ({ status }) => status.allowed, unrecorded: true },
  ...["get-pods", "named-pods", "split", "stars"].flatMap((name) =>
    Object.keys(wanted).map((role) =>
      POST(
        `${rbac}/namespaces/{ns}/rolebindings?dryRun=All`,
        bodyOf({ name: "given", role: `wanted-${role}`, subject: user("friend") }),
        { headers: as(name), pick: (body: { kind: string; message?: string }) => [name, role, outcome(body)] },
      ),
    ),
  ),
];
const request = (request: string, name: string, body: object, headers = {}): RequestStep => ({
  request,
  headers: { ...headers, ...as(name) },
  body,
  pick: outcome,
});

/** The verbs `bind` and `escalate`, roles that do not exist, and changes of roles that exist. */
const delegation: readonly Step[] = [
  clusterRole("binder", [
    writeRoles,
    resourceRule([api], ["clusterroles"], ["bind"], [named("secret"), named("gone")]),
  ]),
  clusterRole("any-binder", [writeRoles, resourceRule([api], ["roles", "clusterroles"], ["bind"])]),
  clusterRole("escalator", [writeRoles, resourceRule([api], ["clusterroles"], ["escalate"])]),
  clusterRole("updater", [
    writeRoles,
    resourceRule([api], ["clusterroles"], ["escalate"], [named("new"), named("secret")]),
  ]),
  clusterRole("plain", [writeRoles]),
  POST(
    `${rbac}/namespaces/{ns}/roles`,
    { metadata: { name: named("hidden") }, rules: [resourceRule([""], ["secrets"], ["get"])] },
    { unrecorded: true },
  ),
  clusterRole("broken", [writeRoles]),
  clusterRole("secret", [resourceRule([""], ["secrets"], ["get"])]),
  ...["binder", "any-binder", "escalator", "updater", "plain", "broken"].map((name) =>
    bindCluster({ name, subject: user(name) }),
  ),
  bindCluster({ name: "broken-2", role: "gone", subject: user("broken") }),
  bindHere({ name: "mine", role: "secret", subject: user("friend") }),
  awaitGrant("broken", { verb: "create", group: api, resource: "roles" }),
  awaitGrant("escalator", { verb: "create", group: api, resource: "roles" }),
  ...["binder", "any-binder", "escalator", "updater", "plain", "broken"].flatMap((name) => [
    ...["secret", "gone", "plain"].flatMap((role) => [
      request(
        `POST ${rbac}/clusterrolebindings?dryRun=All`,
        name,
        bodyOf({ name: "new", role, subject: user("friend") }),
      ),
      request(
        `POST ${rbac}/namespaces/{ns}/rolebindings?dryRun=All`,
        name,
        bodyOf({ name: "new", role, kind: "Role", subject: user("friend") }),
      ),
    ]),
    request(`POST ${rbac}/clusterroles?dryRun=All`, name, {
      metadata: { name: named("new") },
      rules: [resourceRule([""], ["secrets"], ["get"])],
    }),
    request(`POST ${rbac}/namespaces/{ns}/roles?dryRun=All`, name, {
      metadata: { name: named("new") },
      rules: [resourceRule([""], ["secrets"], ["get"])],
    }),
    request(`POST ${rbac}/clusterroles?dryRun=All`, name, {
      metadata: { name: named("new") },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
    }),
    request(`PATCH ${rbac}/clusterroles/{ns}-secret?dryRun=All`, name, { metadata: { labels: { a: "b" } } }, merge),
    request(`PATCH ${rbac}/clusterroles/{ns}-secret?dryRun=All`, name, { rules: [] }, merge),
    request(
      `PATCH ${rbac}/clusterroles/{ns}-secret?dryRun=All`,
      name,
      { rules: [resourceRule([""], ["nodes"], ["get"])] },
      merge,
    ),
    request(
      `PATCH ${rbac}/clusterroles/{ns}-secret?dryRun=All`,
      name,
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
      merge,
    ),
    request(
      `PATCH ${rbac}/namespaces/{ns}/roles/{ns}-hidden?dryRun=All`,
      name,
      { metadata: { labels: { a: "b" } } },
      merge,
    ),
    request(
      `PATCH ${rbac}/namespaces/{ns}/roles/{ns}-hidden?dryRun=All`,
      name,
      { metadata: { finalizers: ["example.com/a"] } },
      merge,
    ),
    request(
      `PATCH ${rbac}/namespaces/{ns}/rolebindings/{ns}-mine?dryRun=All`,
      name,
      { metadata: { labels: { a: "b" } } },
      merge,
    ),
    request(
      `PATCH ${rbac}/namespaces/{ns}/rolebindings/{ns}-mine?dryRun=All`,
      name,
      { subjects: [user("other")] },
      merge,
    ),
  ]),
  POST(
    `${rbac}/namespaces/{ns}/rolebindings`,
    bodyOf({ name: "early", role: "later", kind: "Role", subject: user("friend") }),
    { pick: outcome },
  ),
];

export const scenarios: Scenarios = { "decisions-escalation": escalations, "decisions-delegation": delegation };
