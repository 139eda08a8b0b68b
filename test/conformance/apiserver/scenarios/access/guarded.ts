import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const signing = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

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
const signer = "example.com/server";

/** Users and what they may do. */
const users: Readonly<Record<string, readonly Rule[]>> = {
  asker: [asking],
  approver: [asking, rule(certificates, "signers", "approve", [signer])],
  signer: [asking, rule(certificates, "signers", "sign", ["example.com/*"])],
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

/** A request for the name "evil", as `openssl req -new` makes it. */
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
/** Writes that need more than the permission for the request. */
export const scenarios: Scenarios = {
  "guarded-signing": [
    ...grant("asker", "approver", "signer"),
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
