import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const api = "/apis/resource.k8s.io/v1/namespaces/{ns}";
const claims = `${api}/resourceclaims`;
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** What an answer says, without names that the namespace is part of. */
const outcome = ({ message, status, spec }: any): unknown => message ?? status ?? spec;

const requests = (adminAccess: boolean): object => ({
  devices: { requests: [{ name: "r", exactly: { deviceClassName: "c", adminAccess } }] },
});
const claim = (spec: object): RequestStep => ({
  request: `POST ${claims}?dryRun=All`,
  body: { metadata: { name: "a" }, spec },
  pick: outcome,
});
const template = (spec: object): RequestStep => ({
  request: `POST ${api}/resourceclaimtemplates?dryRun=All`,
  body: { metadata: { name: "a" }, spec: { spec } },
  pick: outcome,
});
const label = (value: string): RequestStep => ({
  request: "PATCH /api/v1/namespaces/{ns}",
  headers: merge,
  body: { metadata: { labels: { "resource.kubernetes.io/admin-access": value } } },
  unrecorded: true,
});

const result = { request: "r", driver: "a.b", pool: "p", device: "d" };
const other = { ...result, driver: "b.c" };
const onNode = (name: string): object => ({
  nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }],
});
const allocation = { devices: { results: [result, other] }, nodeSelector: onNode("n") };
const id = { driver: "a.b", pool: "p", device: "d" };
const consumer = { resource: "pods", name: "p", uid: "u" };

const status = (fields: object, { headers = {}, dryRun = true, more = {} } = {}): RequestStep => ({
  request: `PATCH ${claims}/c/status${dryRun ? "?dryRun=All" : ""}`,
  headers: { ...merge, ...headers },
  body: { ...more, status: fields },
  pick: outcome,
});

const permission = (resource: string, verbs: string[], resourceNames?: string[]): object => ({
  apiGroups: ["resource.k8s.io"],
  resources: [resource],
  verbs,
  ...(resourceNames && { resourceNames }),
});
/** Users and what they may do besides writing the status of claims. */
const writers: Readonly<Record<string, readonly object[]>> = {
  plain: [],
  binder: [permission("resourceclaims/binding", ["patch"])],
  updater: [permission("resourceclaims/binding", ["update"])],
  driver: [permission("resourceclaims/driver", ["arbitrary-node:patch"], ["a.b"])],
  drivers: [permission("resourceclaims/driver", ["arbitrary-node:patch"])],
  local: [permission("resourceclaims/driver", ["associated-node:patch"])],
};
const userOf = (name: string): string => `system:serviceaccount:{ns}:${name}`;
const as = (name: string, node?: string): Record<string, string> => ({
  "impersonate-user": userOf(name),
  ...(node && { "impersonate-extra-authentication.kubernetes.io%2fnode-name": node }),
});

function grant(name: string, rules: readonly object[]): RequestStep[] {
  const metadata = { name: `{ns}-${name}` };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
  return [
    {
      request: `POST ${rbac}/clusterroles`,
      body: { metadata, rules: [permission("resourceclaims/status", ["patch"]), ...rules] },
      unrecorded: true,
    },
    {
      request: `POST ${rbac}/clusterrolebindings`,
      body: { metadata, roleRef, subjects: [{ kind: "ServiceAccount", namespace: "{ns}", name }] },
      unrecorded: true,
    },
  ];
}

/** A server reads roles from memory that follows a moment later. */
const awaitGrants: RequestStep = {
  request: "POST /apis/authorization.k8s.io/v1/subjectaccessreviews",
  body: {
    spec: {
      user: userOf("local"),
      resourceAttributes: {
        group: "resource.k8s.io",
        resource: "resourceclaims",
        subresource: "driver",
        verb: "associated-node:patch",
      },
    },
  },
  until: ({ status }) => status.allowed,
  unrecorded: true,
};

/** Who may write what of claims for devices. */
export const deviceAccessScenarios: readonly Scenario[] = [
  {
    name: "device-admin-access",
    steps: [
      claim(requests(true)),
      template(requests(true)),
      claim(requests(false)),
      template(requests(false)),
      label("true"),
      claim(requests(true)),
      template(requests(true)),
      { request: `POST ${claims}`, body: { metadata: { name: "c" }, spec: requests(true) }, unrecorded: true },
      status({ allocation: { devices: { results: [{ ...result, adminAccess: true }] } } }),
      label("false"),
      claim(requests(true)),
      status({ allocation: { devices: { results: [result, { ...other, adminAccess: true }] } } }),
    ],
  },
  {
    name: "device-status-access",
    steps: [
      ...Object.entries(writers).flatMap(([name, rules]) => grant(name, rules)),
      awaitGrants,
      { request: `POST ${claims}`, body: { metadata: { name: "c" }, spec: requests(false) }, unrecorded: true },
      ...Object.keys(writers).flatMap((name) => [
        status({ allocation }, { headers: as(name) }),
        status({ allocation, devices: [id] }, { headers: as(name) }),
        status({}, { headers: as(name), more: { metadata: { labels: { a: "b" } } } }),
      ]),
      status({ allocation, reservedFor: [consumer] }, { dryRun: false }),
      ...Object.keys(writers).flatMap((name) => [
        status({ reservedFor: null }, { headers: as(name) }),
        ...[undefined, "n", "o"].map((node) => status({ devices: [id] }, { headers: as(name, node) })),
        status({ devices: [{ ...id, driver: "b.c" }, id] }, { headers: as(name, "n") }),
        status({ allocation: null, reservedFor: null }, { headers: as(name) }),
      ]),
      status({ devices: [id, { ...id, driver: "b.c" }] }, { dryRun: false }),
      ...Object.keys(writers).flatMap((name) => [
        status({ devices: [{ ...id, driver: "b.c" }] }, { headers: as(name) }),
        status(
          {
            devices: [
              { ...id, data: { a: 1 } },
              { ...id, driver: "b.c" },
            ],
          },
          { headers: as(name) },
        ),
        status({ devices: [{ ...id, driver: "b.c" }, id] }, { headers: as(name) }),
        status({ devices: null }, { headers: as(name) }),
        status({ allocation: null, reservedFor: null }, { headers: as(name) }),
      ]),
    ],
  },
];
