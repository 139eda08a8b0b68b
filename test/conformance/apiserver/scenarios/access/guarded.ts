import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const signing = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const admission = "/apis/admissionregistration.k8s.io/v1";
const outcome = ({ message, spec, kind }: any): unknown => message ?? spec ?? kind;

/** What an answer says of a signing request, without times and certificates. */
const verdict = ({ message, status }: any): unknown =>
  message ?? [(status?.conditions ?? []).map(({ type }: { type: string }) => type), status?.certificate !== undefined];

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const rule = (group: string, resources: string, verbs: string, resourceNames?: string[]): Rule => ({
  apiGroups: [group],
  resources: resources.split(" "),
  verbs: verbs.split(" "),
  ...(resourceNames && { resourceNames }),
});
const certificates = "certificates.k8s.io";
const asking = rule(
  certificates,
  "certificatesigningrequests certificatesigningrequests/approval certificatesigningrequests/status",
  "create get patch update",
);
const writing = rule("admissionregistration.k8s.io", "*", "*");
const signer = "example.com/server";

/** Users and what they may do. */
const users: Readonly<Record<string, readonly Rule[]>> = {
  asker: [asking],
  approver: [asking, rule(certificates, "signers", "approve", [signer])],
  signer: [asking, rule(certificates, "signers", "sign", ["example.com/*"])],
  author: [writing],
  reader: [writing, rule("", "configmaps", "get list")],
  watcher: [rule("", "secrets", "list watch get", ["s"])],
};

const userOf = (name: string): string => `system:serviceaccount:{ns}:${name}`;
const as = (name: string): Record<string, string> => ({ "impersonate-user": userOf(name) });

/** Gives the users their rights, and waits: a server reads roles from memory that follows a moment later. */
function grant(...names: readonly string[]): RequestStep[] {
  const writes = names.flatMap((name): RequestStep[] => {
    const metadata = { name: `{ns}-${name}` };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
    const subjects = [{ kind: "ServiceAccount", namespace: "{ns}", name }];
    return [
      POST(`${rbac}/clusterroles`, { metadata, rules: users[name] }, { unrecorded: true }),
      POST(`${rbac}/clusterrolebindings`, { metadata, roleRef, subjects }, { unrecorded: true }),
    ];
  });
  const waits = names.map((name): RequestStep => {
    const { apiGroups, resources, verbs, resourceNames = [] } = users[name]!.at(-1)!;
    const [resource = ""] = resources;
    const attributes = { group: apiGroups[0], resource, verb: verbs[0], name: resourceNames[0] };
    return POST(
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      { spec: { user: userOf(name), resourceAttributes: attributes } },
      { until: ({ status }) => status.allowed, unrecorded: true },
    );
  });
  return [...writes, ...waits];
}

/** Requests for the name "evil", of the group "system:masters" or of none, as `openssl req -new` makes them. */
const requestOfMasters =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHbk1Gc0NBUUF3S0RFWE1CVUdBMVVFQ2d3T2MzbHpkR1Z0T20xaGMzUmxjbk14RFRBTEJnTlZCQU1NQkdWMgphV3d3S2pBRkJnTXJaWEFESVFBUU5RYXFaNjZ5QUs0dTVqWWk2bmhaY1UybThnQ1BGbEhkR1N1d1BNekYyYUFBCk1BVUdBeXRsY0FOQkFHRU1OODVvRFdjaFc3RCt5SUxCcnFFd0ZCd1hOelZyTjdISXVaMnR0Y3djTmVkdTlxc3YKeHBSZGNIVXhVTkdGVnJLcEloeCtuczJqSE5vd3hOZ0JBZ1E9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

const plainRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHT01FSUNBUUF3RHpFTk1Bc0dBMVVFQXd3RVpYWnBiREFxTUFVR0F5dGxjQU1oQU4vZzg3cUxuanQxTW1TZwpVd1NCK3VxTHIzWEtsUlZhNXQwY1BZYllxb3Nhb0FBd0JRWURLMlZ3QTBFQXpIVldZUWdTUklqb04ybVh3R1gyCmVqS1NzcnAzQU1YK3lpY1RDRkhEbys4SVBxditMaXUzTmpCZm1qdXBGSUhaSi9RVDFwZEpSQk52Q1pHYkZBTDQKQkE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
const certificate =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJMakNCNGFBREFnRUNBaFE3NFdrc2xFNVlzeVV6RHdGOUs0WG9HeTFUMERBRkJnTXJaWEF3RERFS01BZ0cKQTFVRUF3d0JZVEFnRncweU5qRXhNamN3T0RFek16QmFHQTh5TVRJMk1URXdNekE0TVRNek1Gb3dEREVLTUFnRwpBMVVFQXd3QllUQXFNQVVHQXl0bGNBTWhBSmZONldDWUNFMFpLSXdiaGpKdHJzK3g4Zmhsc2hJc2J5TUNrZVFJCnNqbG1vMU13VVRBZEJnTlZIUTRFRmdRVU12KzhMZG1DWkcvQldzeUY4ZGtGa3ViL2I3a3dId1lEVlIwakJCZ3cKRm9BVU12KzhMZG1DWkcvQldzeUY4ZGtGa3ViL2I3a3dEd1lEVlIwVEFRSC9CQVV3QXdFQi96QUZCZ01yWlhBRApRUUJEVC9DQUU4RmRYYS9ML1JhMDVGckxrRlNvcjRsam9NbFY4RVUvRVRHRDRVa3JNTUhrNWZjeHRQODJxR1ZhCkdKNmhpVE9lTDN2US9uY2phVTVhOUxjSAotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==";
const ask = (name: string, request: string, signerName: string): RequestStep =>
  POST(
    signing,
    { metadata: { name: `{ns}-${name}` }, spec: { request, signerName, usages: ["client auth"] } },
    { headers: as("asker"), pick: verdict },
  );
const change = (user: string, part: string, status: object): RequestStep =>
  PATCH(`${signing}/{ns}-a${part}`, { ...merge, ...as(user) }, { status }, { pick: verdict });
const condition = (type: string, reason = "Seen"): object => ({ type, status: "True", reason });
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
};

/** A policy or a binding, which is never stored. */
const write = (user: string, plural: string, spec: object): RequestStep =>
  POST(`${admission}/${plural}?dryRun=All`, { metadata: { name: "{ns}" }, spec }, { headers: as(user), pick: outcome });

const policies = (user: string, paramKind?: object): RequestStep[] => [
  write(user, "validatingadmissionpolicies", { paramKind, matchConstraints, validations: [{ expression: "true" }] }),
  write(user, "mutatingadmissionpolicies", {
    paramKind,
    matchConstraints,
    reinvocationPolicy: "Never",
    mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: '[JSONPatch{op: "test", path: "/spec"}]' } }],
  }),
];
const bindings = (user: string, policyName: string, paramRef?: object): RequestStep[] => {
  const ref = paramRef && { paramRef: { parameterNotFoundAction: "Allow", ...paramRef } };
  return [
    write(user, "validatingadmissionpolicybindings", { policyName, ...ref, validationActions: ["Deny"] }),
    write(user, "mutatingadmissionpolicybindings", { policyName, ...ref }),
  ];
};
const configMap = { apiVersion: "v1", kind: "ConfigMap" };
const stored = (step: RequestStep): RequestStep => ({
  request: step.request.replace("?dryRun=All", ""),
  body: step.body,
  unrecorded: true,
});

/** Writes that need more than the permission for the request. */
export const scenarios: Scenarios = {
  "guarded-signing": [
    ...grant("asker", "approver", "signer"),
    ask("masters", requestOfMasters, "kubernetes.io/kube-apiserver-client"),
    ask("masters", requestOfMasters, signer),
    ask("client", plainRequest, "kubernetes.io/kube-apiserver-client"),
    ask("a", plainRequest, signer),
    change("asker", "/approval", { conditions: [condition("Approved")] }),
    change("signer", "/approval", { conditions: [condition("Approved")] }),
    change("asker", "/status", { conditions: [condition("Approved")] }),
    change("signer", "/status", { conditions: [condition("Approved")] }),
    change("signer", "/status", { certificate: "bm9uZQ==" }),
    change("asker", "/status", { certificate }),
    change("approver", "/status", { certificate }),
    change("asker", "", { conditions: [condition("Approved")] }),
    change("approver", "/approval", { conditions: [condition("Approved")] }),
    change("approver", "/approval", { conditions: [] }),
    change("approver", "/status", { conditions: [condition("Approved"), condition("Failed")] }),
    change("signer", "/status", { certificate }),
    change("signer", "/status", { certificate: null }),
    change("asker", "/status", { certificate }),
  ],
  "guarded-parameters": [
    ...grant("author", "reader"),
    ...["author", "reader"].flatMap((user) => [
      ...policies(user),
      ...policies(user, configMap),
      ...policies(user, { apiVersion: "v1", kind: "Secret" }),
      ...policies(user, { apiVersion: "none.example.com/v1", kind: "None" }),
    ]),
    ...policies("author", configMap).map(stored),
    ...["author", "reader"].flatMap((user) => [
      ...bindings(user, "{ns}"),
      ...bindings(user, "{ns}", { name: "x", namespace: "{ns}" }),
      ...bindings(user, "{ns}", { selector: {} }),
      ...bindings(user, "{ns}-absent", { name: "x" }),
    ]),
    ...["validating", "mutating"].map((type): RequestStep =>
      DELETE(`${admission}/${type}admissionpolicies/{ns}`, { unrecorded: true }),
    ),
  ],
  "guarded-watch-paths": [
    ...grant("watcher"),
    ...["", "watch/"].flatMap((prefix) =>
      ["", "?fieldSelector=metadata.name%3Ds", "?fieldSelector=metadata.name!%3Ds"].map((query): RequestStep =>
        GET(`/api/v1/${prefix}namespaces/{ns}/secrets${query}${query ? "&" : "?"}timeoutSeconds=1`, {
          headers: as("watcher"),
          pick: ({ message, kind }) => message ?? kind,
        }),
      ),
    ),
  ],
};
