import { merge, type RequestStep, type Scenario } from "../scenario.ts";
import { bind, clean, settle } from "./policies.ts";
import { configure, remove, webhook } from "./webhooks.ts";

const core = "/api/v1/namespaces/{ns}";
const pods = `${core}/pods`;
const maps = `${core}/configmaps`;
const spec = { containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 40 };
const bound = { ...spec, nodeName: "n" };
const finalizers = ["a.io/f"];

/** What a deletion changes of an object. */
const ending = (body: any): unknown => {
  const { kind, metadata, code, message, status, details } = body;
  if (kind === "Status") return { code, message, status, details };
  const { name, generation, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, finalizers } = metadata;
  return { kind, name, generation, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, finalizers };
};
/** The text has the version of the object. */
const withoutVersion = ({ message, ...status }: any): object => ({ ...status, message: message.replace(/\d+$/, "") });
const create = (path: string, name: string, fields: object = {}, metadata: object = {}): RequestStep => ({
  request: `POST ${path}`,
  body: { metadata: { name, ...metadata }, ...fields },
  save: { [name]: "metadata.uid", [`${name}Version`]: "metadata.resourceVersion" },
  unrecorded: true,
});
const end = (path: string, body?: object): RequestStep => ({
  request: `DELETE ${path}`,
  ...(body && { body }),
  pick: ending,
});
const finish = (path: string): RequestStep => ({
  request: `PATCH ${path}`,
  headers: merge,
  body: { metadata: { finalizers: null } },
  pick: ending,
});
const phase = (name: string, reached: string): RequestStep => ({
  request: `PATCH ${pods}/${name}/status`,
  headers: merge,
  body: { status: { phase: reached } },
  unrecorded: true,
});
const label = (label: string): object => ({ labels: { case: label } });
const onDelete = (...resources: string[]): object[] => [
  { apiGroups: ["*"], apiVersions: ["*"], resources, operations: ["DELETE"] },
];
const uid = "aaaaaaaa-1111-4111-8111-111111111111";

export const deletionScenarios: readonly Scenario[] = [
  {
    name: "deletions-of-pods",
    steps: [
      { open: "w", request: `GET ${pods}?watch=true` },
      create(pods, "free", { spec }),
      end(`${pods}/free?dryRun=All`),
      end(`${pods}/free`),
      { read: "w", count: 2 },
      create(pods, "free30", { spec }),
      end(`${pods}/free30?gracePeriodSeconds=30`),
      { read: "w", count: 2 },
      create(pods, "bound", { spec: bound }),
      end(`${pods}/bound?dryRun=All`),
      end(`${pods}/bound?dryRun=All&gracePeriodSeconds=0`),
      end(`${pods}/bound`),
      end(`${pods}/bound`),
      end(`${pods}/bound`, { gracePeriodSeconds: 50 }),
      end(`${pods}/bound?gracePeriodSeconds=10&dryRun=All`),
      end(`${pods}/bound?gracePeriodSeconds=10`),
      end(`${pods}/bound?gracePeriodSeconds=10`),
      end(`${pods}/bound?gracePeriodSeconds=20`),
      end(`${pods}/bound?propagationPolicy=Foreground`),
      end(`${pods}/bound?gracePeriodSeconds=0&propagationPolicy=Foreground`),
      end(`${pods}/bound?gracePeriodSeconds=0&propagationPolicy=Background`),
      end(`${pods}/bound?gracePeriodSeconds=0`),
      create(pods, "now", { spec: bound }),
      end(`${pods}/now?gracePeriodSeconds=0`),
      create(pods, "one", { spec: bound }),
      end(`${pods}/one?gracePeriodSeconds=-5`),
      end(`${pods}/one?gracePeriodSeconds=1`),
      end(`${pods}/one`, { gracePeriodSeconds: 0, preconditions: { uid } }),
      end(`${pods}/one`, { gracePeriodSeconds: 0, preconditions: { uid: "{one}", resourceVersion: "{oneVersion}" } }),
      end(`${pods}/one`, { gracePeriodSeconds: 0, preconditions: { uid: "{one}" } }),
      create(pods, "held", { spec: bound }, { finalizers }),
      end(`${pods}/held?gracePeriodSeconds=0`),
      end(`${pods}/held`),
      end(`${pods}/held?gracePeriodSeconds=0`),
      finish(`${pods}/held`),
      create(pods, "held-free", { spec }, { finalizers }),
      end(`${pods}/held-free`),
      end(`${pods}/held-free?gracePeriodSeconds=30`),
      finish(`${pods}/held-free`),
      create(pods, "held-long", { spec: bound }, { finalizers }),
      end(`${pods}/held-long?gracePeriodSeconds=9`),
      finish(`${pods}/held-long`),
      end(`${pods}/held-long?gracePeriodSeconds=0`),
      create(pods, "done", { spec: bound }),
      phase("done", "Succeeded"),
      end(`${pods}/done`),
      create(pods, "orphans", { spec }),
      end(`${pods}/orphans?propagationPolicy=Orphan`),
      end(`${pods}/orphans?propagationPolicy=Orphan`),
      end(`${pods}/orphans?propagationPolicy=Background`),
      create(pods, "running", { spec: bound }),
      end(`${pods}/running`),
      phase("running", "Failed"),
      end(`${pods}/running`),
      { request: `GET ${pods}`, pick: ({ items }: any) => items.map(ending) },
    ],
  },
  {
    name: "deletion-events",
    steps: [
      { open: "w", request: `GET ${pods}?watch=true` },
      create(pods, "free", { spec }),
      end(`${pods}/free`),
      create(pods, "bound", { spec: bound }),
      end(`${pods}/bound`),
      end(`${pods}/bound?gracePeriodSeconds=10`),
      end(`${pods}/bound?gracePeriodSeconds=10`),
      end(`${pods}/bound?gracePeriodSeconds=0`),
      create(pods, "held", { spec: bound }, { finalizers }),
      end(`${pods}/held?gracePeriodSeconds=0`),
      finish(`${pods}/held`),
      create(pods, "long", { spec: bound }, { finalizers }),
      end(`${pods}/long?gracePeriodSeconds=9`),
      finish(`${pods}/long`),
      end(`${pods}/long?gracePeriodSeconds=0`),
      { read: "w", count: 14 },
      { open: "m", request: `GET ${maps}?watch=true` },
      create(maps, "plain"),
      end(`${maps}/plain?gracePeriodSeconds=30`),
      create(maps, "kept", {}, { finalizers }),
      end(`${maps}/kept?dryRun=All`),
      end(`${maps}/kept`),
      end(`${maps}/kept`),
      end(`${maps}/kept?propagationPolicy=Foreground`),
      end(`${maps}/kept?propagationPolicy=Orphan`),
      end(`${maps}/kept?propagationPolicy=Background`),
      end(`${maps}/kept?dryRun=All&propagationPolicy=Orphan`),
      end(`${maps}/kept`, { preconditions: { uid } }),
      end(`${maps}/kept`, { preconditions: { resourceVersion: "{keptVersion}" } }),
      finish(`${maps}/kept`),
      create(maps, "dependents"),
      end(`${maps}/dependents?propagationPolicy=Foreground`),
      finish(`${maps}/dependents`),
      ...["x", "y", "z"].map((name) =>
        create(maps, name, {}, name === "y" ? { ...label("some"), finalizers } : label("some")),
      ),
      { request: `DELETE ${maps}?labelSelector=case%3Dsome&dryRun=All`, pick: ({ items }: any) => items.map(ending) },
      { request: `DELETE ${maps}?labelSelector=case%3Dsome`, pick: ({ items }: any) => items.map(ending) },
      { request: `DELETE ${maps}?labelSelector=case%3Dsome`, body: { preconditions: { uid } }, pick: ending },
      { request: `DELETE ${maps}?labelSelector=case%3Dsome`, pick: ({ items }: any) => items.map(ending) },
      { request: `GET ${maps}?labelSelector=case%3Dsome`, pick: ({ items }: any) => items.map(ending) },
      { read: "m", count: 16 },
    ],
  },
  {
    name: "deletion-admission",
    steps: [
      create(maps, "tells", {}, label("tell")),
      create(maps, "plain", {}, label("plain")),
      create(maps, "denied", {}, label("deny")),
      create(maps, "kept", {}, { ...label("deny"), finalizers }),
      create(pods, "p", { spec: bound }, label("plain")),
      create(pods, "q", { spec }, label("twice")),
      create(pods, "r", { spec: bound }, label("twice")),
      end(`${pods}/p`),
      end(`${maps}/kept`),
      ...configure("Validating", "deletions", [
        webhook("tell", { rules: onDelete("configmaps") }),
        webhook("deny", { rules: onDelete("configmaps") }),
        webhook("deny", {
          name: "pods.example.com",
          rules: onDelete("pods"),
          objectSelector: { matchLabels: { case: "plain" } },
        }),
        webhook("deny", {
          name: "twice.example.com",
          rules: onDelete("pods"),
          objectSelector: { matchLabels: { case: "twice" } },
          matchConditions: [{ name: "ending", expression: "has(oldObject.metadata.deletionTimestamp)" }],
        }),
        webhook("deny", {
          name: "namespaces.example.com",
          rules: onDelete("namespaces"),
          namespaceSelector: { matchLabels: { case: "doomed" } },
          objectSelector: {},
        }),
      ]),
      end(`${maps}/tells?dryRun=All&gracePeriodSeconds=3`),
      end(`${maps}/tells`, { propagationPolicy: "Foreground", preconditions: { uid: "{tells}" } }),
      end(`${maps}/tells`, { preconditions: { uid } }),
      end(`${maps}/denied`),
      end(`${maps}/denied`, { preconditions: { resourceVersion: "1" } }),
      end(`${maps}/denied`, { propagationPolicy: "Sideways" }),
      end(`${maps}/none`),
      end(`${maps}/kept`),
      end(`${maps}/kept?dryRun=All`),
      end(`${maps}/kept?propagationPolicy=Orphan`),
      finish(`${maps}/kept`),
      end(`${pods}/p`),
      end(`${pods}/p?gracePeriodSeconds=50`),
      end(`${pods}/p?gracePeriodSeconds=5`),
      end(`${pods}/p?gracePeriodSeconds=5`, { preconditions: { uid } }),
      end(`${pods}/p?gracePeriodSeconds=0`),
      // What is deleted at once is asked about before and after it has begun to end.
      end(`${pods}/q?dryRun=All`),
      end(`${pods}/q`),
      end(`${pods}/q`),
      end(`${pods}/r`),
      end(`${pods}/r?gracePeriodSeconds=0`),
      { request: `GET ${pods}`, pick: ({ items }: any) => items.map(ending) },
      { request: `DELETE ${maps}?labelSelector=case%3Dtell`, pick: ending },
      { request: `DELETE ${maps}?labelSelector=case%3Dtell&dryRun=All`, body: { gracePeriodSeconds: 2 }, pick: ending },
      { request: `DELETE ${maps}?labelSelector=case+in+(deny,plain,tell)`, pick: ending },
      { request: `GET ${maps}?labelSelector=case`, pick: ({ items }: any) => items.map(ending) },
      create("/api/v1/namespaces", "{ns}-doomed", {}, label("doomed")),
      create("/api/v1/namespaces", "{ns}-free"),
      end(`/api/v1/namespaces/{ns}-doomed`),
      end(`/api/v1/namespaces/{ns}-free`, { preconditions: { uid } }),
      { ...end(`/api/v1/namespaces/{ns}-free`, { preconditions: { resourceVersion: "1" } }), pick: withoutVersion },
      end(`/api/v1/namespaces/{ns}-free?dryRun=All`),
      end(`/api/v1/namespaces/{ns}-free`),
      {
        request: `PATCH /api/v1/namespaces/{ns}-free`,
        headers: merge,
        body: { metadata: label("doomed") },
        pick: ending,
      },
      end(`/api/v1/namespaces/{ns}-free`),
      ...remove("validating", "deletions"),
      ...configure("Mutating", "changes-of-deletions", [webhook("tell", { rules: onDelete("configmaps") })]),
      create(maps, "changed", {}, label("tell")),
      end(`${maps}/changed`),
      end(`${maps}/changed`, { preconditions: { uid } }),
      { request: `DELETE ${maps}?labelSelector=case%3Dtell`, pick: ending },
      ...remove("mutating", "changes-of-deletions"),
    ],
  },
  {
    name: "deletion-policies",
    steps: [
      create(maps, "a", { data: { keep: "yes" } }, label("kept")),
      create(maps, "b", { data: { keep: "no" } }, label("kept")),
      ...bind({
        name: "kept",
        spec: {
          constraints: { resourceRules: onDelete("configmaps") },
          validations: [{ expression: "object == null && oldObject.data.keep == 'no'" }],
        },
      }),
      ...settle(),
      end(`${maps}/a`),
      end(`${maps}/a?dryRun=All`),
      end(`${maps}/b?dryRun=All`),
      { request: `DELETE ${maps}?labelSelector=case%3Dkept`, pick: ending },
      { request: `GET ${maps}?labelSelector=case%3Dkept`, pick: ({ items }: any) => items.map(ending) },
      ...clean(["kept"]),
    ],
  },
];
