import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { bind, clean, settle } from "../../policy-bindings.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { core, maps } from "../../steps.ts";
import { configure, remove, rule, webhook } from "../../webhook-configurations.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";

const everything = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["UPDATE"] }];
const map = (label: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: `m-${label}`, labels: { case: label } },
  data: { a: "b" },
});
const create = (path: string, body: object): RequestStep => POST(path, body, { unrecorded: true });
const createMap = (label: string): RequestStep => create(`${maps}?fieldManager=me`, map(label));

/** Each kind of write, none of which changes the object. */
const unchanged = (label: string, query = ""): RequestStep[] => {
  const path = `${maps}/m-${label}?fieldManager=me${query}`;
  return [PUT(path, map(label)), PATCH(path, merge, { data: { a: "b" } }), PATCH(path, jsonPatch, [])];
};

const applyThing = (path: string, body: object): RequestStep => PATCH(`${path}?fieldManager=me`, apply, body);
const growing = customKind("growing", {
  schema: {
    openAPIV3Schema: schemaOf(
      { n: { type: "integer" }, x: { type: "string" } },
      { "x-kubernetes-validations": [{ rule: "self.n > oldSelf.n", message: "must grow" }] },
    ),
  },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const tightened = customKind("tightened");
const strict = schemaOf(
  { x: { type: "string", enum: ["other"] } },
  { "x-kubernetes-validations": [{ rule: "self.x.startsWith('o')", message: "must start with o" }] },
);
const container = { name: "c", image: "i" };
const twice = [
  { name: "A", value: "1" },
  { name: "A", value: "2" },
];

export const scenarios: Scenarios = {
  "no-op-webhooks": {
    managedFields: true,
    steps: [
      ...["tell", "deny", "warn", "side", "revert"].map(createMap),
      {
        ...applyThing(`${maps}/m-applied`, {
          ...map("applied"),
          metadata: { name: "m-applied", labels: { case: "tell" } },
        }),
        unrecorded: true,
      },
      ...configure("Mutating", "no-op-changes", [
        webhook("revert", { rules: everything, clientConfig: { url: "{webhook}/append-a", caBundle: "{ca}" } }),
      ]),
      ...configure("Validating", "no-op-asks", [
        ...["tell", "deny", "warn"].map((name) => webhook(name, { rules: everything })),
        webhook("allow", {
          name: "side.example.com",
          rules: everything,
          sideEffects: "NoneOnDryRun",
          objectSelector: { matchLabels: { case: "side" } },
        }),
      ]),
      ...["tell", "deny", "warn", "side"].flatMap((label) => unchanged(label)),
      ...["tell", "warn", "side"].flatMap((label) => unchanged(label, "&dryRun=All")),
      applyThing(`${maps}/m-applied`, { ...map("applied"), metadata: { name: "m-applied", labels: { case: "tell" } } }),
      GET(`${maps}/m-warn`),
      ...remove("mutating", "no-op-changes"),
      ...remove("validating", "no-op-asks"),
    ],
  },
  "no-op-parts": [
    create(`/apis/apps/v1/namespaces/{ns}/deployments`, {
      metadata: { name: "d", labels: { case: "tell" } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      },
    }),
    create(`${core}/pods`, { metadata: { name: "p", labels: { case: "tell" } }, spec: { containers: [container] } }),
    ...configure("Validating", "no-op-parts", [webhook("tell", { rules: everything, objectSelector: {} })]),
    ...["d", "d/status", "d/scale"].map((name): RequestStep =>
      PATCH(`/apis/apps/v1/namespaces/{ns}/deployments/${name}`, merge, {}),
    ),
    ...["p", "p/status", "p/ephemeralcontainers", "p/resize"].map((name): RequestStep =>
      PATCH(`${core}/pods/${name}`, merge, {}),
    ),
    PATCH(core, merge, {}),
    PATCH(`${core}/status`, merge, {}),
    ...remove("validating", "no-op-parts"),
  ],
  "no-op-policies": [
    ...["refused", "equal", "warned"].map(createMap),
    ...bind({
      name: "refused",
      spec: {
        constraints: { resourceRules: [{ ...rule, operations: ["UPDATE"] }] },
        validations: [{ expression: "object.data.a == 'c'" }],
      },
    }),
    ...bind({
      name: "equal",
      spec: {
        constraints: { resourceRules: [{ ...rule, operations: ["UPDATE"] }] },
        validations: [{ expression: "object != oldObject", message: "nothing changes" }],
      },
    }),
    ...bind({
      name: "warned",
      spec: {
        constraints: { resourceRules: [{ ...rule, operations: ["UPDATE"] }] },
        validations: [{ expression: "false", message: "think again" }],
      },
      binding: { validationActions: ["Warn"] },
    }),
    ...settle(),
    ...["refused", "equal", "warned"].flatMap((label) => [...unchanged(label), ...unchanged(label, "&dryRun=All")]),
    ...clean(["refused", "equal", "warned"]),
  ],
  "no-op-rules": [
    ...growing.install,
    create(growing.path, growing.object("g", { spec: { n: 1 } })),
    PATCH(`${growing.path}/g`, merge, {}),
    PATCH(`${growing.path}/g`, merge, { metadata: { labels: { a: "b" } } }),
    PATCH(`${growing.path}/g/status`, merge, {}),
    PATCH(`${growing.path}/g/scale`, merge, {}),
    ...tightened.install,
    create(tightened.path, tightened.object("t", { metadata: { name: "t", finalizers: ["plain"] }, spec: { x: "y" } })),
    PATCH(
      `${crds}/things.tightened.example.com`,
      jsonPatch,
      [{ op: "replace", path: "/spec/versions/0/schema/openAPIV3Schema", value: strict }],
      { unrecorded: true },
    ),
    POST(`${tightened.path}?dryRun=All`, tightened.object("new", { spec: { x: "y" } }), {
      until: (_, status) => status === 422,
      unrecorded: true,
    }),
    PATCH(`${tightened.path}/t`, merge, {}),
    PATCH(`${tightened.path}/t`, merge, { metadata: { labels: { a: "b" } } }),
  ],
  "no-op-plugins": [
    create(`${core}/pods`, {
      metadata: { name: "p", annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "" } },
      spec: { containers: [{ ...container, env: twice }] },
    }),
    create(`${core}/persistentvolumeclaims`, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    create(`${core}/limitranges`, {
      metadata: { name: "l" },
      spec: { limits: [{ type: "PersistentVolumeClaim", min: { storage: "2Gi" } }] },
    }),
    POST(
      `${core}/persistentvolumeclaims?dryRun=All`,
      {
        metadata: { name: "d" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
      { until: (_, status) => status === 403, unrecorded: true },
    ),
    ...["pods/p", "persistentvolumeclaims/c", "persistentvolumeclaims/c/status"].map((path): Step =>
      PATCH(`${core}/${path}`, merge, {}, { pick: ({ code, message, details }: any) => ({ code, message, details }) }),
    ),
  ],
};
