// Asks a real API server for the results of strategic merge patches, and writes
// test/unit/apimachinery/recorded/strategic-merge.json.
//   node lab/record/rules/strategic-merge.mjs KUBECONFIG
// Run by hand; needs kubectl. PodTemplates represent all kinds: they have every kind of list, and no controller acts on
// them.
import { createServerCaller } from "./server-caller.mjs";
import { writeRecorded } from "./write-recorded.mjs";

const container = (name, more) => ({
  name,
  image: "a:1",
  imagePullPolicy: "IfNotPresent",
  resources: {},
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  ...more,
});
const spec = {
  containers: [
    container("a", {
      env: [
        { name: "X", value: "1" },
        { name: "Y", value: "2" },
      ],
      args: ["1", "2"],
    }),
    container("b"),
  ],
  volumes: [
    { name: "v1", emptyDir: {} },
    { name: "v2", configMap: { name: "c", defaultMode: 420 } },
  ],
  tolerations: [
    { key: "t1", operator: "Exists" },
    { key: "t2", operator: "Exists" },
  ],
  imagePullSecrets: [{ name: "s1" }, { name: "s2" }, { name: "s3" }],
  hostAliases: [{ ip: "1.1.1.1", hostnames: ["x"] }],
  nodeSelector: { a: "1", b: "2" },
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
  schedulerName: "default-scheduler",
  securityContext: {},
  terminationGracePeriodSeconds: 30,
};
const live = {
  apiVersion: "v1",
  kind: "PodTemplate",
  metadata: { name: "x", labels: { a: "1" }, finalizers: ["e.com/a", "e.com/b"] },
  template: { metadata: {}, spec },
};
const patchSpec = (patch) => ({ template: { spec: patch } });

const cases = {
  "merges an item by its key": patchSpec({ containers: [{ name: "b", image: "b:2" }] }),
  "puts a new item first": patchSpec({ imagePullSecrets: [{ name: "s0" }] }),
  "adds a container": patchSpec({ containers: [container("c")] }),
  "keeps the order of the patch": patchSpec({ imagePullSecrets: [{ name: "s3" }, { name: "s1" }] }),
  "deletes an item": patchSpec({ imagePullSecrets: [{ $patch: "delete", name: "s2" }] }),
  "deletes an item that is not there": patchSpec({ imagePullSecrets: [{ $patch: "delete", name: "zz" }] }),
  "deletes and adds": patchSpec({ imagePullSecrets: [{ $patch: "delete", name: "s2" }, { name: "s4" }] }),
  "replaces a list": patchSpec({ imagePullSecrets: [{ $patch: "replace" }, { name: "s9" }] }),
  "replaces an object": patchSpec({ nodeSelector: { $patch: "replace", z: "1" } }),
  "deletes an object": patchSpec({ nodeSelector: { $patch: "delete" } }),
  "removes a key with null": patchSpec({ nodeSelector: { a: null, zz: null } }),
  "removes a list with null": patchSpec({ tolerations: null }),
  "replaces an atomic list": patchSpec({ tolerations: [{ key: "t9", operator: "Exists" }] }),
  "goes into items of items": patchSpec({
    containers: [
      {
        name: "a",
        env: [
          { name: "Y", value: "9" },
          { name: "Z", value: "3" },
        ],
      },
    ],
  }),
  "replaces a list of scalars": patchSpec({ containers: [{ name: "a", args: ["9"] }] }),
  "unites finalizers": { metadata: { finalizers: ["e.com/b", "e.com/c"] } },
  "deletes from finalizers": { metadata: { "$deleteFromPrimitiveList/finalizers": ["e.com/a"] } },
  "deletes from and adds to finalizers": {
    metadata: { "$deleteFromPrimitiveList/finalizers": ["e.com/a"], finalizers: ["e.com/z"] },
  },
  "orders finalizers": {
    metadata: { "$setElementOrder/finalizers": ["e.com/b", "e.com/c", "e.com/a"], finalizers: ["e.com/c"] },
  },
  "orders a list": patchSpec({
    "$setElementOrder/imagePullSecrets": [{ name: "s3" }, { name: "s0" }, { name: "s1" }],
    imagePullSecrets: [{ name: "s0" }],
  }),
  "orders a list that the patch does not change": patchSpec({
    "$setElementOrder/imagePullSecrets": [{ name: "s3" }, { name: "s2" }, { name: "s1" }],
  }),
  "orders containers and changes one": patchSpec({
    "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
    containers: [{ name: "a", image: "a:9" }],
  }),
  "orders a list that is new": patchSpec({
    "$setElementOrder/topologySpreadConstraints": [{ topologyKey: "k" }],
    topologySpreadConstraints: [{ topologyKey: "k", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }],
  }),
  "retains keys of a volume": patchSpec({
    volumes: [{ name: "v2", $retainKeys: ["name", "emptyDir"], emptyDir: {}, configMap: null }],
  }),
  "retains keys of a new volume": patchSpec({
    volumes: [{ name: "v3", $retainKeys: ["name", "emptyDir"], emptyDir: {} }],
  }),
  "sets labels": { metadata: { labels: { b: "2" }, annotations: { x: "y" } } },
  "refuses keys that are not retained": patchSpec({ volumes: [{ name: "v2", $retainKeys: ["name"], emptyDir: {} }] }),
  "refuses an item without its key": patchSpec({ imagePullSecrets: [{}] }),
  "refuses an unknown directive": patchSpec({ nodeSelector: { $patch: "paint" } }),
  "refuses an unknown directive in a list": patchSpec({ imagePullSecrets: [{ $patch: "paint", name: "s1" }] }),
  "refuses merge in a list": patchSpec({ imagePullSecrets: [{ $patch: "merge", name: "s1" }] }),
  "refuses an order that the patch contradicts": patchSpec({
    "$setElementOrder/imagePullSecrets": [{ name: "s1" }, { name: "s2" }],
    imagePullSecrets: [{ name: "s2" }, { name: "s1" }],
  }),
  "refuses an order that is no list": patchSpec({ "$setElementOrder/imagePullSecrets": { name: "s1" } }),
  "refuses retained keys that are no list": patchSpec({ volumes: [{ name: "v2", $retainKeys: "name" }] }),
};

const call = createServerCaller(process.argv[2]);
const templates = "/api/v1/namespaces/default/podtemplates";
const recorded = {};
for (const [name, patch] of Object.entries(cases)) {
  const created = await call("POST", templates, {
    ...live,
    metadata: { ...live.metadata, name: undefined, generateName: "rules-" },
  });
  const url = `${templates}/${created.body.metadata.name}`;
  const { status, body, warnings } = await call("PATCH", url, patch, "application/strategic-merge-patch+json");
  await call("PATCH", url, { metadata: { finalizers: null } }, "application/merge-patch+json");
  await call("DELETE", url);
  const { labels, annotations, finalizers } = body.metadata;
  recorded[name] = {
    patch,
    status,
    ...(status === 200
      ? { metadata: { labels, annotations, finalizers }, template: body.template }
      : { message: body.message }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
writeRecorded("apimachinery", "strategic-merge", { live, cases: recorded });
