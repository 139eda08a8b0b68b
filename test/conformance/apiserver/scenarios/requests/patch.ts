import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { deployments, maps, pods } from "../../steps.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";

const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const kind = customKind("patch-places", { schema: { openAPIV3Schema: schemaOf({ free: open }) } });
const at = `${kind.path}/a`;

function change(operations: unknown, query = ""): RequestStep {
  return PATCH(`${at}${query}`, jsonPatch, operations);
}

const free = "/spec/free";
const places: readonly unknown[] = [
  { op: "test", path: `${free}/none/0` },
  { op: "test", path: `${free}/list/7` },
  { op: "test", path: `${free}/list/x` },
  { op: "test", path: `${free}/none` },
  { op: "copy", from: `${free}/list/7`, path: `${free}/copied` },
  { op: "copy", from: `${free}/none/0`, path: `${free}/copied` },
  { op: "copy", from: "spec", path: `${free}/copied` },
  { op: "copy", from: `${free}/none`, path: `${free}/copied` },
  { op: "move", from: `${free}/nothing`, path: `${free}/moved` },
  { op: "add", path: `${free}/list/-1`, value: "last" },
  { op: "add", path: `${free}/list/+1`, value: "second" },
  { op: "add", path: `${free}/list/-` },
  { op: "copy", from: `${free}/list/0` },
  { op: "move", path: `${free}/list/0` },
];
const mistyped: readonly unknown[] = [
  [{ op: 1, path: free }],
  [{ op: "add", path: [], value: 1 }],
  [{ op: "add", path: free, from: {}, value: 1 }],
  ["add"],
  [null],
  { op: "add" },
];
const unknownFields = `[{"op":"test","path":"${free}/none","other":1,"op":"test"}]`;
const container = { name: "c", image: "i", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] };
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", labels: { app: "a" }, finalizers: ["a.b/c", "a.b/d"] },
  spec: { containers: [container], volumes: [{ name: "v", emptyDir: {} }], nodeSelector: { disk: "ssd" } },
};
const order = "$setElementOrder/";
const remove = "$deleteFromPrimitiveList/";
const inContainer = (fields: object): object => ({ spec: { containers: [{ name: "c", ...fields }] } });
const directives: readonly object[] = [
  { metadata: { labels: { $patch: null } } },
  { metadata: { labels: { $patch: 1 } } },
  { metadata: { finalizers: [], [`${order}finalizers`]: null } },
  { metadata: { finalizers: null, [`${order}finalizers`]: ["a.b/c"] } },
  { metadata: { [`${order}finalizers`]: 5 } },
  { metadata: { finalizers: [1] } },
  { metadata: { finalizers: [{ a: "b" }] } },
  { metadata: { ownerReferences: [], [`${order}ownerReferences`]: [] } },
  { metadata: { [`${remove}labels`]: { app: "b" } } },
  { metadata: { [`${remove}finalizers`]: ["a.b/d"] } },
  { metadata: { [`${remove}finalizers`]: null } },
  { spec: { [`${remove}containers`]: [{ name: "c", image: "j" }] } },
  { spec: { volumes: ["v"], [`${order}volumes`]: [{ name: "v" }] } },
  { spec: { tolerations: [], [`${order}tolerations`]: [] } },
  inContainer({ ports: [{ name: "http" }, { $patch: "replace" }] }),
  inContainer({ env: [{ name: "A" }, { $patch: "replace" }], [`${order}env`]: [{ name: "A" }] }),
  inContainer({ env: [{ name: "A", $patch: "delete" }, { $patch: "replace" }], [`${order}env`]: [{ a: "b" }] }),
  inContainer({ imagePullPolicy: ["Always"] }),
  inContainer({ imagePullPolicy: 5 }),
];
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "1" } };
const twice = [
  { name: "A", value: "1" },
  { name: "A", value: "2" },
];
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i", env: twice }] } },
  },
};
const env = "/spec/template/spec/containers/0/env";

const parallel = customKind("parallel");

export const scenarios: Scenarios = {
  "json-patch-places": [
    ...kind.install,
    POST(kind.path, kind.object("a", { spec: { free: { list: ["first"], nothing: null } } })),
    ...places.map((operation) => change([operation])),
    ...mistyped.map((operations) => change(operations)),
    change(unknownFields),
    change(unknownFields, "?fieldValidation=Strict"),
    change(unknownFields, "?fieldValidation=Ignore"),
  ],
  "strategic-directives": [
    POST(pods, pod),
    ...directives.map((body) => PATCH(`${pods}/a?dryRun=All`, strategic, body)),
  ],
  "patched-managers": {
    managedFields: true,
    steps: [
      POST(maps, map),
      PATCH(`${maps}/a`, merge, { metadata: { managedFields: [] } }),
      PATCH(`${maps}/a?fieldManager=one`, apply, map),
      PUT(`${maps}/a`, { ...map, metadata: { name: "a", managedFields: [] } }),
      POST(pods, pod),
      ...["", "/status"].map((part) =>
        PATCH(`${pods}/a${part}?fieldManager=one&force=true`, apply, {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "a", labels: { app: "b" } },
        }),
      ),
      PATCH(`${pods}/a?fieldManager=two`, apply, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", labels: { app: "c" } },
      }),
      POST(`${deployments}?fieldManager=create`, deployment),
      ...[
        [{ op: "remove", path: `${env}/0` }],
        [{ op: "add", path: `${env}/-`, value: { name: "A", value: "3" } }],
        [
          { op: "remove", path: `${env}/1` },
          { op: "remove", path: `${env}/0` },
        ],
      ].flatMap((body, index) => [
        PATCH(`${deployments}/a?fieldManager=m${index}`, jsonPatch, body, {
          pick: ({ metadata }: any) => metadata.managedFields,
          save: { version: "metadata.resourceVersion" },
        }),
        // A real server patches what its cache has, and keeps the warnings of the attempt if that was out of date.
        GET(`${deployments}/a?resourceVersion={version}`, { unrecorded: true }),
      ]),
    ],
  },
  parallel: [
    ...parallel.install,
    POST(parallel.path, parallel.object("a", { spec: { x: "0" } }), { unrecorded: true }),
    PATCH(`${parallel.path}/a`, merge, { metadata: { labels: { a: "b" } } }, { parallel: 20 }),
    GET(`${parallel.path}/a`),
  ],
};
