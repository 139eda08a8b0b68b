import { apply, merge, type RequestStep, type Scenario } from "../scenario.ts";

const api = "rbac.authorization.k8s.io";
const rbac = `/apis/${api}/v1`;
const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const resourceRule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames?: string[]): Rule => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
});
const urlRule = (nonResourceURLs: string[], verbs: string[]): Rule => ({ nonResourceURLs, verbs });

/** Names that are unique in the cluster, as the roles of these scenarios are not in a namespace. */
const named = (name: string): string => `{ns}-${name}`;

function clusterRole(name: string, rules: readonly Rule[]): RequestStep {
  return { request: `POST ${rbac}/clusterroles`, body: { metadata: { name: named(name) }, rules }, unrecorded: true };
}

interface Binding {
  readonly name: string;
  readonly role?: string;
  readonly kind?: "ClusterRole" | "Role";
  readonly subject: object;
}

const user = (name: string): object => ({ kind: "User", apiGroup: api, name: named(name) });
const group = (name: string): object => ({ kind: "Group", apiGroup: api, name });

function bodyOf({ name, role = name, kind = "ClusterRole", subject }: Binding): object {
  return {
    metadata: { name: named(name) },
    roleRef: { apiGroup: api, kind, name: named(role) },
    subjects: [subject],
  };
}

const bindCluster = (binding: Binding): RequestStep => ({
  request: `POST ${rbac}/clusterrolebindings`,
  body: bodyOf(binding),
  unrecorded: true,
});
const bindHere = (binding: Binding): RequestStep => ({
  request: `POST ${rbac}/namespaces/{ns}/rolebindings`,
  body: bodyOf(binding),
  unrecorded: true,
});

/** A user for each rule, who has it in the whole cluster. */
function grantEach(rules: Readonly<Record<string, Rule>>): RequestStep[] {
  return Object.entries(rules).flatMap(([name, rule]) => [
    clusterRole(name, [rule]),
    bindCluster({ name, subject: user(name) }),
  ]);
}

function review(name: string, attributes: object, groups: readonly string[] = []): RequestStep {
  const field = "path" in attributes ? "nonResourceAttributes" : "resourceAttributes";
  return {
    request: `POST ${reviews}`,
    body: { spec: { user: named(name), groups, [field]: attributes } },
    pick: ({ status }) => [name, attributes, status],
  };
}

/** A server learns of roles and bindings a moment later; the last binding is known when this review allows. */
function awaitGrant(name: string, attributes: object): RequestStep {
  return { ...review(name, attributes), until: ({ status }) => status.allowed, unrecorded: true };
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
const reviewUser = (name: string, groups: readonly string[], attributes: object): RequestStep => ({
  request: `POST ${reviews}`,
  body: { spec: { user: name, groups, resourceAttributes: attributes } },
  pick: ({ status }) => [name, groups, attributes, status],
});

/** Who is meant by a binding, and where it holds. */
const subjects: Scenario = {
  name: "decisions-subjects",
  steps: [
    clusterRole("maps", [resourceRule([""], ["configmaps"], ["get"])]),
    {
      request: `POST ${rbac}/namespaces/{ns}/roles`,
      body: { metadata: { name: named("maps") }, rules: [resourceRule([""], ["configmaps"], ["get"])] },
      unrecorded: true,
    },
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
    ...["system:kube-controller-manager", "system:kube-scheduler", "system:node:n", "system:anonymous"].flatMap(
      (name) =>
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

const as = (name: string): Record<string, string> => ({ "impersonate-user": named(name) });
const writeRoles = resourceRule(
  [api],
  ["clusterroles", "roles", "clusterrolebindings", "rolebindings"],
  ["create", "update", "patch", "get"],
);
const outcome = ({ kind, message }: { kind: string; message?: string }): unknown => message ?? kind;

const escalations: Scenario = {
  name: "decisions-escalation",
  steps: [
    ...Object.entries(held).flatMap(([name, rules]) => [
      clusterRole(name, [...rules, writeRoles]),
      bindCluster({ name, subject: user(name) }),
    ]),
    awaitGrant("paths", { verb: "get", path: "/version" }),
    ...Object.keys(held).flatMap((name) =>
      Object.entries(wanted).map(([role, rules]) => ({
        request: `POST ${rbac}/clusterroles?dryRun=All`,
        headers: as(name),
        body: { metadata: { name: named(`wanted-${role}`) }, rules },
        pick: (body: { kind: string; message?: string }) => [name, role, outcome(body)],
      })),
    ),
    ...Object.entries(wanted).map(([role, rules]) => clusterRole(`wanted-${role}`, rules)),
    // A server reads roles from memory that follows a moment later.
    { ...review("stars", { verb: "get", resource: "pods" }), until: ({ status }) => status.allowed, unrecorded: true },
    ...["get-pods", "named-pods", "split", "stars"].flatMap((name) =>
      Object.keys(wanted).map((role) => ({
        request: `POST ${rbac}/namespaces/{ns}/rolebindings?dryRun=All`,
        headers: as(name),
        body: bodyOf({ name: "given", role: `wanted-${role}`, subject: user("friend") }),
        pick: (body: { kind: string; message?: string }) => [name, role, outcome(body)],
      })),
    ),
  ],
};

const request = (request: string, name: string, body: object, headers = {}): RequestStep => ({
  request,
  headers: { ...headers, ...as(name) },
  body,
  pick: outcome,
});

/** The verbs `bind` and `escalate`, roles that do not exist, and changes of roles that exist. */
const delegation: Scenario = {
  name: "decisions-delegation",
  steps: [
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
    {
      request: `POST ${rbac}/namespaces/{ns}/roles`,
      body: { metadata: { name: named("hidden") }, rules: [resourceRule([""], ["secrets"], ["get"])] },
      unrecorded: true,
    },
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
    {
      request: `POST ${rbac}/namespaces/{ns}/rolebindings`,
      body: bodyOf({ name: "early", role: "later", kind: "Role", subject: user("friend") }),
      pick: outcome,
    },
  ],
};

const maps = "/api/v1/namespaces/{ns}/configmaps";
const newMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } };
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";

/** Requests whose verb or name is not evident from their path. */
const requests: Scenario = {
  name: "decisions-requests",
  steps: [
    ...grantEach({
      "one-name": resourceRule([""], ["configmaps"], ["get", "list", "watch", "delete", "deletecollection"], ["a"]),
      updater: resourceRule(["", "coordination.k8s.io"], ["configmaps", "leases"], ["update", "patch"]),
      creator: resourceRule(["", "coordination.k8s.io"], ["configmaps", "leases"], ["create"]),
      proxy: resourceRule([""], ["pods/proxy", "pods/exec"], ["get"]),
      status: resourceRule([""], ["namespaces/status", "namespaces/finalize"], ["update", "patch", "get"]),
      lister: resourceRule([""], ["configmaps"], ["list"]),
      watcher: resourceRule([""], ["configmaps"], ["watch"]),
    }),
    { request: `POST ${maps}`, body: { metadata: { name: "a" } }, unrecorded: true },
    awaitGrant("watcher", { verb: "watch", resource: "configmaps" }),
    ...["one-name", "updater", "creator", "proxy", "status", "lister", "watcher"].flatMap((name) =>
      [
        { request: `GET ${maps}/a` },
        { request: `GET ${maps}/b` },
        { request: `HEAD ${maps}/a` },
        { request: `GET ${maps}` },
        { request: `GET ${maps}?fieldSelector=metadata.name%3Da` },
        { request: `GET ${maps}?fieldSelector=metadata.name%3Db` },
        { request: `GET ${maps}?fieldSelector=metadata.name!%3Da` },
        { request: `GET ${maps}?watch=true&timeoutSeconds=1&resourceVersion=1&fieldSelector=metadata.name%3Db` },
        { request: `GET ${maps}?watch=maybe&timeoutSeconds=1&resourceVersion=1` },
        { request: `DELETE ${maps}?dryRun=All&fieldSelector=metadata.name%3Da` },
        { request: `DELETE ${maps}/a?dryRun=All` },
        { request: `PUT ${maps}/a?dryRun=All`, body: { metadata: { name: "a" } } },
        { request: `PUT ${leases}/new?dryRun=All`, body: { metadata: { name: "new" } } },
        { request: `PATCH ${maps}/new?dryRun=All&fieldManager=m`, headers: apply, body: newMap },
        { request: `POST ${maps}?dryRun=All`, body: { metadata: { name: "new" } } },
        { request: `POST ${maps}?dryRun=All`, body: { metadata: { generateName: "a" } } },
        { request: `GET /api/v1/namespaces/{ns}` },
        { request: `GET /api/v1/namespaces/{ns}/status` },
        { request: `PATCH /api/v1/namespaces/{ns}?dryRun=All`, headers: merge, body: {} },
        { request: `PATCH /api/v1/namespaces/{ns}/status?dryRun=All`, headers: merge, body: {} },
        { request: `GET /api/v1/watch/namespaces/{ns}/configmaps/a?timeoutSeconds=1&resourceVersion=1` },
        { request: `GET /api/v1/watch/namespaces/{ns}/configmaps?timeoutSeconds=1&resourceVersion=1` },
        { request: `OPTIONS ${maps}` },
      ].map((step) => ({
        ...step,
        headers: { ...step.headers, ...as(name) },
        pick: (body: any) => [name, body?.reason === "Forbidden" ? body.message : "allowed"],
      })),
    ),
  ],
};

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const whoAmI = "POST /apis/authentication.k8s.io/v1/selfsubjectreviews";
const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer {${name}}` });

/** An account with a token, which may impersonate as its rule says. */
function impersonator(name: string, rules: readonly Rule[]): RequestStep[] {
  return [
    { request: `POST ${accounts}`, body: { metadata: { name } }, unrecorded: true },
    {
      request: `POST ${accounts}/${name}/token`,
      body: { spec: {} },
      save: { [name]: "status.token" },
      unrecorded: true,
    },
    clusterRole(name, rules),
    bindCluster({ name, subject: { kind: "ServiceAccount", name, namespace: "{ns}" } }),
  ];
}

const impersonators: Readonly<Record<string, readonly Rule[]>> = {
  none: [],
  users: [resourceRule([""], ["users"], ["impersonate"])],
  jane: [resourceRule([""], ["users"], ["impersonate"], ["jane"])],
  groups: [resourceRule([""], ["users"], ["impersonate"]), resourceRule([""], ["groups"], ["impersonate"], ["dev"])],
  robots: [resourceRule([""], ["serviceaccounts"], ["impersonate"])],
  uids: [
    resourceRule([""], ["users"], ["impersonate"]),
    resourceRule(["authentication.k8s.io"], ["uids"], ["impersonate"], ["u1"]),
  ],
  extras: [
    resourceRule([""], ["users"], ["impersonate"]),
    resourceRule(["authentication.k8s.io"], ["userextras/scope"], ["impersonate"], ["a"]),
  ],
  full: [resourceRule(["", "authentication.k8s.io"], ["*"], ["impersonate"])],
};

const impersonations: readonly Readonly<Record<string, string>>[] = [
  { "impersonate-user": "jane" },
  { "impersonate-user": "joe" },
  { "impersonate-user": "jane", "impersonate-group": "dev" },
  { "impersonate-user": "jane", "impersonate-group": "ops" },
  { "impersonate-user": "jane", "impersonate-group": "dev,ops" },
  { "impersonate-group": "dev" },
  { "impersonate-uid": "u1" },
  { "impersonate-user": "jane", "impersonate-uid": "u1" },
  { "impersonate-user": "jane", "impersonate-uid": "u2" },
  { "impersonate-extra-scope": "a" },
  { "impersonate-user": "jane", "impersonate-extra-scope": "a" },
  { "impersonate-user": "jane", "impersonate-extra-scope": "b" },
  { "impersonate-user": "jane", "impersonate-extra-other": "a" },
  { "impersonate-user": "system:serviceaccount:default:robot" },
  { "impersonate-user": "system:serviceaccount:default:robot", "impersonate-group": "dev" },
  { "impersonate-user": "system:serviceaccount:default" },
  { "impersonate-user": "system:serviceaccount:Default:robot" },
  { "impersonate-user": "system:anonymous" },
  { "impersonate-user": "system:anonymous", "impersonate-group": "system:authenticated" },
  { "impersonate-user": "system:node:n" },
  { "impersonate-user": "jane", "impersonate-group": "system:unauthenticated" },
];

const impersonation: Scenario = {
  name: "decisions-impersonation",
  steps: [
    ...Object.entries(impersonators).flatMap(([name, rules]) => impersonator(name, rules)),
    {
      request: whoAmI,
      headers: { ...bearer("full"), "impersonate-user": "jane" },
      body: {},
      until: (_, status) => status === 201,
      unrecorded: true,
    },
    ...["admin", ...Object.keys(impersonators)].flatMap((name) =>
      impersonations.map((headers) => ({
        request: whoAmI,
        headers: { ...(name !== "admin" && bearer(name)), ...headers },
        body: {},
        pick: ({ status, code }: any) => [name, headers, code ?? status.userInfo],
      })),
    ),
  ],
};

const tokenReviews = "POST /apis/authentication.k8s.io/v1/tokenreviews";
/** The issuer has another name on each server. */
const shown = (audiences: readonly string[] = []): string[] =>
  audiences.map((audience) => (audience.startsWith("https:") ? "<issuer>" : audience));

/** Tokens are valid for the audiences that they were issued for. */
const audiences: Scenario = {
  name: "decisions-audiences",
  steps: [
    { request: `POST ${accounts}`, body: { metadata: { name: "robot" } }, unrecorded: true },
    {
      request: `POST ${accounts}/robot/token`,
      body: { spec: {} },
      save: { issuer: "spec.audiences.0" },
      unrecorded: true,
    },
    ...Object.entries({ plain: [], vault: ["vault"], both: ["vault", "{issuer}"] }).flatMap(([word, wanted]) => [
      {
        request: `POST ${accounts}/robot/token`,
        body: { spec: { audiences: wanted } },
        save: { [word]: "status.token" },
        pick: ({ spec }: any) => shown(spec.audiences),
      },
      {
        request: whoAmI,
        headers: bearer(word),
        body: {},
        pick: ({ message, status }: any) => message ?? status.userInfo.groups,
      },
      ...[[], ["vault"], ["{issuer}"], ["other"], ["other", "vault", "{issuer}"]].map((audiences) => ({
        request: tokenReviews,
        body: { spec: { token: `{${word}}`, audiences } },
        pick: ({ status }: any) => ({
          token: word,
          wanted: audiences,
          authenticated: status.authenticated,
          audiences: shown(status.audiences),
          error: status.error?.replace(/https:[^"]*/g, "<issuer>"),
        }),
      })),
    ]),
  ],
};

export const decisionScenarios: readonly Scenario[] = [
  {
    name: "decisions-resources",
    steps: [
      ...grantEach(resourceRules),
      awaitGrant("own-verb", { verb: "use", resource: "pods" }),
      ...reviewAll(resourceRules, resourceProbes),
    ],
  },
  {
    name: "decisions-paths",
    steps: [
      ...grantEach(pathRules),
      awaitGrant("slash", { verb: "get", path: "/healthz/" }),
      ...reviewAll(pathRules, pathProbes),
    ],
  },
  subjects,
  escalations,
  delegation,
  requests,
  impersonation,
  audiences,
];
