import {
  api,
  as,
  awaitGrant,
  bindCluster,
  bindHere,
  clusterRole,
  named,
  rbac,
  resourceRule,
  review,
  reviews,
  urlRule,
  user,
  type Rule,
} from "../../grants.ts";
import { apply, merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { leases, maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const group = (name: string): object => ({ kind: "Group", apiGroup: api, name });

/** A user for each rule, who has it in the whole cluster. */
function grantEach(rules: Readonly<Record<string, Rule>>): RequestStep[] {
  return Object.entries(rules).flatMap(([name, rule]) => [
    clusterRole(name, [rule]),
    bindCluster({ name, subject: user(name) }),
  ]);
}

const resourceRules: Readonly<Record<string, Rule>> = {
  "get-pods": resourceRule([""], ["pods"], ["get"]),
  "any-verb": resourceRule([""], ["pods"], ["*"]),
  "any-group": resourceRule(["*"], ["pods", "deployments"], ["get"]),
  "any-resource": resourceRule([""], ["*"], ["get"]),
  "two-groups": resourceRule(["", "apps"], ["pods", "deployments"], ["get", "list"]),
  all: resourceRule(["*"], ["*"], ["*"]),
  named: resourceRule([""], ["pods"], ["get", "list", "watch", "create", "delete", "deletecollection"], ["a"]),
  "two-names": resourceRule([""], ["pods"], ["get", "update"], ["a", "b"]),
  "empty-name": resourceRule([""], ["pods"], ["list", "create"], [""]),
  log: resourceRule([""], ["pods/log"], ["get"]),
  "any-status": resourceRule(["*"], ["*/status"], ["get", "update"]),
  "any-of-pods": resourceRule([""], ["pods/*"], ["get"]),
  "star-star": resourceRule([""], ["*/*"], ["get"]),
  "named-log": resourceRule([""], ["pods/log"], ["get"], ["a"]),
  scale: resourceRule(["apps"], ["deployments/scale"], ["get", "update", "patch"]),
  "star-name": resourceRule([""], ["pods"], ["get"], ["*"]),
  "star-verbs-and-get": resourceRule([""], ["pods"], ["*", "get"]),
  "own-verb": resourceRule([""], ["pods"], ["use"]),
};
const resourceProbes: readonly object[] = [
  { verb: "get", group: "", resource: "pods", namespace: "{ns}", name: "a" },
  { verb: "get", group: "", resource: "pods", namespace: "{ns}", name: "c" },
  { verb: "get", group: "", resource: "pods", name: "a" },
  { verb: "list", group: "", resource: "pods", namespace: "{ns}" },
  { verb: "list", group: "", resource: "pods", namespace: "{ns}", name: "a" },
  { verb: "watch", group: "", resource: "pods" },
  { verb: "create", group: "", resource: "pods", namespace: "{ns}" },
  { verb: "deletecollection", group: "", resource: "pods", namespace: "{ns}" },
  { verb: "get", group: "", resource: "pods", subresource: "log", namespace: "{ns}", name: "a" },
  { verb: "update", group: "", resource: "pods", subresource: "status", namespace: "{ns}", name: "b" },
  { verb: "get", group: "apps", resource: "deployments", namespace: "{ns}", name: "a" },
  { verb: "patch", group: "apps", resource: "deployments", subresource: "scale", namespace: "{ns}", name: "a" },
  { verb: "get", group: "extensions", resource: "pods", namespace: "{ns}", name: "a" },
  { verb: "use", group: "", resource: "pods", namespace: "{ns}", name: "a" },
  { verb: "*", group: "*", resource: "*" },
  { verb: "get", path: "/healthz" },
];
const pathRules: Readonly<Record<string, Rule>> = {
  exact: urlRule(["/healthz"], ["get"]),
  below: urlRule(["/healthz/*"], ["get"]),
  prefix: urlRule(["/health*"], ["get", "post"]),
  "any-path": urlRule(["*"], ["*"]),
  root: urlRule(["/"], ["get"]),
  "from-root": urlRule(["/*"], ["get"]),
  "two-paths": urlRule(["/version", "/metrics"], ["get"]),
  slash: urlRule(["/healthz/"], ["get"]),
};
const pathProbes: readonly object[] = [
  { verb: "get", path: "/healthz" },
  { verb: "get", path: "/healthz/" },
  { verb: "get", path: "/healthz/etcd" },
  { verb: "get", path: "/" },
  { verb: "get", path: "" },
  { verb: "post", path: "/healthcheck" },
  { verb: "get", path: "/version" },
  { verb: "get", path: "/version/more" },
  { verb: "*", path: "/metrics" },
  { verb: "get", resource: "pods", namespace: "{ns}", name: "a" },
];

function reviewAll(rules: Readonly<Record<string, Rule>>, probes: readonly object[]): RequestStep[] {
  return Object.keys(rules).flatMap((name) => probes.map((probe) => review(name, probe)));
}

const account = (namespace?: string): object => ({
  kind: "ServiceAccount",
  name: "robot",
  ...(namespace && { namespace }),
});
const robot = "system:serviceaccount:{ns}:robot";
const getMap = { verb: "get", group: "", resource: "configmaps", namespace: "{ns}", name: "a" };

/** A review of a user whose name is not prefixed. */
const reviewUser = (name: string, groups: readonly string[], attributes: object): RequestStep =>
  POST(
    reviews,
    { spec: { user: name, groups, resourceAttributes: attributes } },
    { pick: ({ status }) => [name, groups, attributes, status] },
  );

/** Who is meant by a binding, and where it holds. */
const subjects: readonly Step[] = [
  clusterRole("maps", [resourceRule([""], ["configmaps"], ["get"])]),
  POST(
    `${rbac}/namespaces/{ns}/roles`,
    { metadata: { name: named("maps") }, rules: [resourceRule([""], ["configmaps"], ["get"])] },
    { unrecorded: true },
  ),
  bindCluster({ name: "of-group", role: "maps", subject: group("{ns}-team") }),
  bindCluster({ name: "of-robot", role: "maps", subject: account("{ns}") }),
  bindCluster({ name: "of-namespace", role: "maps", subject: group("system:serviceaccounts:{ns}-other") }),
  bindHere({ name: "here", role: "maps", subject: user("here") }),
  bindHere({ name: "role-here", role: "maps", kind: "Role", subject: user("role-here") }),
  bindHere({ name: "robot-here", role: "maps", kind: "Role", subject: account("{ns}-other") }),
  bindHere({ name: "nowhere", role: "gone", kind: "Role", subject: user("nowhere") }),
  bindHere({
    name: "named-robot",
    role: "maps",
    subject: { kind: "User", apiGroup: api, name: "system:serviceaccount:{ns}:named" },
  }),
  bindHere({ name: "last", role: "maps", kind: "Role", subject: user("last") }),
  awaitGrant("last", getMap),
  ...["here", "role-here", "nowhere", "nobody", "last"].flatMap((name) => [
    review(name, getMap),
    review(name, { ...getMap, namespace: "default" }),
    review(name, { ...getMap, namespace: "" }),
    review(name, { ...getMap, verb: "list", name: "" }),
    review(name, getMap, ["{ns}-team"]),
    review(name, getMap, ["system:masters"]),
    review(name, getMap, ["system:authenticated"]),
  ]),
  ...[
    [robot, []],
    [robot, ["system:serviceaccounts"]],
    ["system:serviceaccount:{ns}-other:robot", []],
    ["system:serviceaccount:{ns}-other:second", []],
    ["system:serviceaccount:{ns}-other:second", ["system:serviceaccounts:{ns}-other"]],
    ["system:serviceaccount:{ns}:named", []],
  ].flatMap(([name, groups]) => [
    reviewUser(name as string, groups as string[], getMap),
    reviewUser(name as string, groups as string[], { ...getMap, namespace: "default" }),
  ]),
  ...["system:kube-controller-manager", "system:kube-scheduler", "system:node:n", "system:anonymous"].flatMap((name) =>
    ["pods", "endpoints", "nodes", "secrets"].flatMap((resource) => [
      reviewUser(name, [], { verb: "list", group: "", resource }),
      reviewUser(name, ["system:unauthenticated"], {
        verb: "create",
        group: "",
        resource,
        namespace: "kube-system",
      }),
    ]),
  ),
];

const newMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } };

/** Requests whose verb or name is not evident from their path. */
const requests: readonly Step[] = [
  ...grantEach({
    "one-name": resourceRule([""], ["configmaps"], ["get", "list", "watch", "delete", "deletecollection"], ["a"]),
    updater: resourceRule(["", "coordination.k8s.io"], ["configmaps", "leases"], ["update", "patch"]),
    creator: resourceRule(["", "coordination.k8s.io"], ["configmaps", "leases"], ["create"]),
    proxy: resourceRule([""], ["pods/proxy", "pods/exec"], ["get"]),
    status: resourceRule([""], ["namespaces/status", "namespaces/finalize"], ["update", "patch", "get"]),
    lister: resourceRule([""], ["configmaps"], ["list"]),
    watcher: resourceRule([""], ["configmaps"], ["watch"]),
  }),
  POST(maps, { metadata: { name: "a" } }, { unrecorded: true }),
  awaitGrant("watcher", { verb: "watch", resource: "configmaps" }),
  ...["one-name", "updater", "creator", "proxy", "status", "lister", "watcher"].flatMap((name) =>
    [
      GET(`${maps}/a`),
      GET(`${maps}/b`),
      { request: `HEAD ${maps}/a` },
      GET(maps),
      GET(`${maps}?fieldSelector=metadata.name%3Da`),
      GET(`${maps}?fieldSelector=metadata.name%3Db`),
      GET(`${maps}?fieldSelector=metadata.name!%3Da`),
      GET(`${maps}?watch=true&timeoutSeconds=1&resourceVersion=1&fieldSelector=metadata.name%3Db`),
      GET(`${maps}?watch=maybe&timeoutSeconds=1&resourceVersion=1`),
      DELETE(`${maps}?dryRun=All&fieldSelector=metadata.name%3Da`),
      DELETE(`${maps}/a?dryRun=All`),
      PUT(`${maps}/a?dryRun=All`, { metadata: { name: "a" } }),
      PUT(`${leases}/new?dryRun=All`, { metadata: { name: "new" } }),
      PATCH(`${maps}/new?dryRun=All&fieldManager=m`, apply, newMap),
      POST(`${maps}?dryRun=All`, { metadata: { name: "new" } }),
      POST(`${maps}?dryRun=All`, { metadata: { generateName: "a" } }),
      GET("/api/v1/namespaces/{ns}"),
      GET("/api/v1/namespaces/{ns}/status"),
      PATCH("/api/v1/namespaces/{ns}?dryRun=All", merge, {}),
      PATCH("/api/v1/namespaces/{ns}/status?dryRun=All", merge, {}),
      { request: `OPTIONS ${maps}` },
    ].map((step) => ({
      ...step,
      headers: { ...step.headers, ...as(name) },
      pick: (body: any) => [name, body?.reason === "Forbidden" ? body.message : "allowed"],
    })),
  ),
];

export const scenarios: Scenarios = {
  "decisions-resources": [
    ...grantEach(resourceRules),
    awaitGrant("own-verb", { verb: "use", resource: "pods" }),
    ...reviewAll(resourceRules, resourceProbes),
  ],
  "decisions-paths": [
    ...grantEach(pathRules),
    awaitGrant("slash", { verb: "get", path: "/healthz/" }),
    ...reviewAll(pathRules, pathProbes),
  ],
  "decisions-subjects": subjects,
  "decisions-requests": requests,
};
