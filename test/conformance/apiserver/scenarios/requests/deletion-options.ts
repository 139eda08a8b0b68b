import { crds, customKind, withoutConditions } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { maps, namespaces, pods } from "../../steps.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";

const kind = customKind("ends");
const spec = { containers: [{ name: "c", image: "i" }] };
const background = { propagationPolicy: "Background" };
const end = "2030-01-01T00:00:00Z";
const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "22222222-2222-4222-8222-222222222222" };
const create = (path: string, metadata: object, fields: object = {}): RequestStep =>
  POST(path, { metadata, ...fields }, { save: { rv: "metadata.resourceVersion" } });
const change = (path: string, metadata: object): RequestStep => PATCH(path, merge, { metadata });
const remove = (path: string, body?: unknown): RequestStep => ({
  request: `DELETE ${path}`,
  ...(body !== undefined && { body }),
});

/** How objects end: options that are refused together, finalizers that change, and objects that end as they begin. */
export const scenarios: Scenarios = {
  "delete-options-together": [
    create(maps, { name: "a", finalizers: ["orphan", "a.io/f"] }),
    remove(`${maps}/a?dryRun=None&propagationPolicy=Sideways&orphanDependents=1`),
    remove(`${maps}/a`, { dryRun: [null] }),
    remove(`${maps}/a`, { kind: "DeleteOptions", apiVersion: "a/b/c" }),
    ...["Status", "CreateOptions", "Pod"].map((name) => remove(`${maps}/a`, { kind: name })),
    remove(`${maps}/a`, { preconditions: { uid: null }, dryRun: ["All"] }),
    remove(`${maps}?fieldSelector=metadata.uid%3Da&propagationPolicy=Sideways`),
    remove(`${maps}?continue=x&propagationPolicy=Sideways`),
    ...["app+in+(", "app+in+(a,", "app+in+(,", "app+in+(,,a)"].map((text) => remove(`${maps}?labelSelector=${text}`)),
    ...["x", "xyzab"].map((token) => remove(`${maps}?continue=${token}`)),
    remove("/apis/batch/v1/namespaces/{ns}/jobs?limit=x"),
    // The order of the finalizers stays if the policy changes none of them.
    remove(`${maps}/a?propagationPolicy=Orphan`),
    remove(`${maps}/a?orphanDependents=false`),
    remove(`${namespaces}/default`, { preconditions: { uid: owner.uid } }),
  ],
  "ends-of-updates": {
    managedFields: true,
    steps: [
      create(maps, { name: "a", finalizers: ["a.io/f"], generation: 7, deletionTimestamp: end }),
      remove(`${maps}/a`),
      change(`${maps}/a`, { deletionGracePeriodSeconds: 30 }),
      change(`${maps}/a`, { deletionTimestamp: end }),
      PUT(`${maps}/a`, { metadata: { name: "a", finalizers: ["a.io/f"] } }),
      change(`${maps}/a`, { finalizers: ["b.io/g", "a.io/f", "a.io/g", "b.io/g"] }),
      change(`${maps}/a`, { finalizers: ["orphan", "foregroundDeletion"] }),
      PUT("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a?dryRun=All", {
        metadata: { name: "a", generation: 7, resourceVersion: "{rv}" },
      }),
      create(pods, { name: "p" }, { spec: { ...spec, nodeName: "n" } }),
      change(`${pods}/p/status`, { deletionTimestamp: end }),
      ...[{ unknown: 1 }, { dryRun: ["None"] }].map((deleteOptions): RequestStep =>
        POST(`${pods}/p/eviction`, { metadata: { name: "p" }, deleteOptions }),
      ),
      GET(`${pods}/p`, { pick: ({ status }) => status }),
    ],
  },
  "ends-of-owners": [
    create(maps, { name: "a", ownerReferences: [owner, { ...owner, name: "p" }, owner, owner] }),
    PUT(`${maps}/a`, { metadata: { name: "a", ownerReferences: [owner, owner] } }),
    change(`${maps}/a`, { ownerReferences: [owner, owner] }),
    change(`${maps}/a`, { ownerReferences: [{ ...owner, kind: "Event" }] }),
    create(maps, { name: "b", ownerReferences: [{ ...owner, apiVersion: "events.k8s.io/v1", kind: "Event" }] }),
    create(maps, { name: "l", labels: { app: "a" } }),
    create(maps, { name: "m", labels: { app: "b" } }),
    // Whether a later object matches is not known before the next page.
    GET(`${maps}?labelSelector=app%3Da&limit=1`),
    GET(`${maps}?fieldSelector=metadata.name%3Dl&limit=1`),
    remove(`${maps}?labelSelector=app%3Da&limit=1`),
  ],
  "ends-of-kinds": [
    ...kind.install,
    POST(kind.path, { ...kind.object("a"), metadata: { name: "a", finalizers: ["a.io/f"] } }),
    { ...remove(`${crds}/${kind.crd.metadata.name}?propagationPolicy=Orphan`), pick: withoutConditions },
    GET(`${kind.path}/a`, { until: ({ metadata }) => metadata.deletionTimestamp !== undefined }),
    { ...change(`${crds}/${kind.crd.metadata.name}`, { labels: { a: "b" } }), pick: withoutConditions },
    POST(kind.path, kind.object("b")),
    { ...change(`${kind.path}/a`, { finalizers: null }), unrecorded: true },
    create(namespaces, { name: "{ns}-a" }),
    PUT(`${namespaces}/{ns}-a/finalize`, { metadata: { name: "{ns}-a" }, spec: { finalizers: ["bad"] } }),
    remove(`${namespaces}/{ns}-a`),
    change(`${namespaces}/{ns}-a`, { finalizers: ["orphan", "foregroundDeletion"] }),
    PUT(`${namespaces}/{ns}-a/finalize`, { metadata: { name: "{ns}-a" }, spec: {} }),
    create(namespaces, { name: "{ns}-b" }),
    PUT(`${namespaces}/{ns}-b/finalize`, { metadata: { name: "{ns}-b" }, spec: {} }),
    // The first deletion only marks it.
    remove(`${namespaces}/{ns}-b`),
    remove(`${namespaces}/{ns}-b`),
  ],
  "ends-of-marks": [
    create(maps, { name: "b", finalizers: ["a.io/f", "orphan"] }),
    remove(`${maps}/b`, { ...background, preconditions: { resourceVersion: "{rv}" } }),
    create(pods, { name: "p", finalizers: ["orphan"] }, { spec }),
    remove(`${pods}/p`, { ...background, preconditions: { resourceVersion: "{rv}" } }),
    create(pods, { name: "q" }, { spec: { ...spec, nodeName: "n" } }),
    ...[
      { propagationPolicy: null, dryRun: ["All"] },
      { gracePeriodSeconds: null, preconditions: { uid: null } },
    ].map((deleteOptions): RequestStep => POST(`${pods}/q/eviction`, { metadata: { name: "q" }, deleteOptions })),
    GET(`${pods}/q`, { pick: ({ metadata }) => metadata.deletionGracePeriodSeconds }),
  ],
};
