import { customKind } from "../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenario } from "../scenario.ts";

const maps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";
const services = "/api/v1/namespaces/{ns}/services";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";

const metadata = { name: "a" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const app = { name: "c", image: "i" };
const rbac = "rbac.authorization.k8s.io";
const roleRef = { apiGroup: rbac, kind: "Role", name: "r" };
const strict = customKind("strictpatch");
const thing = customKind("wrongmetas");
const held = customKind("heldback");
const hold = (name: string, ...finalizers: string[]) => ({ ...held.object(name), metadata: { name, finalizers } });

const withMemory = (memory: unknown): unknown => ({
  metadata,
  spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: memory } } }] },
});
const quantities = ["x", "", "1 Gi", "1e3", "0.5", "1024Mi", "1000m", "1Zi", true, 5, 1.5, [], {}, null];
const times = ["x", "", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01", "2026-13-01T00:00:00Z", 5, {}];
const ports = ["x", 5, 1.5, true, {}, [], null, 4_294_967_296];
const wrongMeta = [
  { labels: { a: "!" } },
  { annotations: { "a b": "!" } },
  { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "", uid: "x" }] },
  { finalizers: ["a b"] },
  { finalizers: ["ab"] },
];
/** One of each way in which kinds check their metadata. */
const kinds: readonly (readonly [path: string, object: object])[] = [
  [maps, { metadata }],
  [deployments, { metadata, spec: workload }],
  [leases, { metadata }],
  [budgets, { metadata }],
  [thing.path, thing.object("a")],
];

const jobTemplate = { spec: { ...template.spec, restartPolicy: "Never" } };
const event = { metadata, reason: "R", message: "m", type: "Normal" };
const conditions = ({ status: { conditions } }: any): unknown => conditions;
const status = (path: string, body: object): RequestStep => ({
  request: `PATCH ${path}/status`,
  headers: strategic,
  body: { status: body },
});
const dry = (path: string, body: unknown): RequestStep => ({ request: `POST ${path}?dryRun=All`, body });

/** Built-in objects are Go structs: what does not fit is refused, what can be written in several ways is written in one. */
export const typedScenarios: readonly Scenario[] = [
  {
    // Go writes null for a time that is not set, unless the field is a pointer or is marked as omitzero.
    name: "unset-times",
    managedFields: true,
    steps: [
      { request: `POST ${pods}`, body: { metadata, spec: template.spec } },
      status(`${pods}/a`, {
        conditions: [{ type: "example.com/Ready", status: "True" }],
        containerStatuses: [{ name: "c", state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }],
      }),
      status(`${pods}/a`, { conditions: [{ type: "example.com/Ready", status: "False", lastProbeTime: null }] }),
      { request: `POST ${deployments}`, body: { metadata, spec: workload } },
      status(`${deployments}/a`, { conditions: [{ type: "Available", status: "True" }] }),
      { request: `POST ${jobs}`, body: { metadata, spec: { template: jobTemplate } } },
      status(`${jobs}/a`, { conditions: [{ type: "Suspended", status: "True" }] }),
      { request: "POST /api/v1/nodes", body: { metadata: { name: "{ns}-a" } }, unrecorded: true },
      { ...status("/api/v1/nodes/{ns}-a", { conditions: [{ type: "Ready", status: "True" }] }), pick: conditions },
      { request: "DELETE /api/v1/nodes/{ns}-a", unrecorded: true },
      { request: "POST /api/v1/namespaces/{ns}/events", body: { ...event, involvedObject: { namespace: "{ns}" } } },
      { request: "GET /apis/events.k8s.io/v1/namespaces/{ns}/events/a" },
      { request: `DELETE ${pods}/a?gracePeriodSeconds=0`, unrecorded: true },
    ],
  },
  {
    name: "typed-values",
    steps: [
      ...quantities.map((quantity) => dry(pods, withMemory(quantity))),
      ...times.map((renewTime) => dry(leases, { metadata, spec: { renewTime } })),
      ...ports.map((targetPort) => dry(services, { metadata, spec: { ports: [{ port: 80, targetPort }] } })),
      ...[4_294_967_296, 2_147_483_648, 1e20].map((replicas) =>
        dry(deployments, { metadata, spec: { ...workload, replicas } }),
      ),
      ...["a", "YQ", "!", "", null, 5].map((b) => dry(maps, { metadata, binaryData: { b } })),
    ],
  },
  {
    name: "bytes-as-numbers",
    steps: [
      ...[[null], [1, 2, 255], [], [256], [-1], ["x"], [1.5], [[1]], [true], {}].flatMap((bytes): RequestStep[] => [
        dry("/api/v1/namespaces/{ns}/secrets", { metadata, data: { bytes } }),
        dry("/api/v1/namespaces/{ns}/configmaps", { metadata, binaryData: { bytes } }),
      ]),
      {
        request: "PUT /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/none",
        body: { metadata: { name: "none" }, webhooks: [{ name: "a", clientConfig: { caBundle: [1], url: "x" } }] },
      },
    ],
  },
  {
    name: "typed-empties",
    managedFields: true,
    steps: [
      { request: `POST ${maps}`, body: { metadata, data: {}, binaryData: null } },
      { request: `PUT ${maps}/a`, body: { metadata, data: { x: null } } },
      { request: `POST ${roles}`, body: { metadata, rules: [] } },
      { request: `PUT ${roles}/a`, body: { metadata } },
      { request: `POST ${bindings}`, body: { metadata, subjects: [], roleRef } },
      { request: `POST ${accounts}`, body: { metadata, imagePullSecrets: [], secrets: null } },
      { request: `POST ${leases}`, body: { metadata } },
      { request: `POST ${budgets}`, body: { metadata, spec: null } },
      { request: `PUT ${budgets}/a`, body: { metadata } },
      { request: `PUT ${services}/a`, body: { metadata, spec: { ports: [{ port: 80 }] } } },
      { request: `PUT ${services}/a/status`, body: { metadata } },
    ],
  },
  {
    name: "put-creates",
    steps: [
      { request: `PUT ${leases}/a`, body: { metadata } },
      { request: `PUT ${leases}/b`, body: { metadata: { name: "b", resourceVersion: "5" } } },
      { request: `PUT ${leases}/c`, body: { metadata: { name: "c", uid: "12345678-1111-2222-3333-444444444444" } } },
      { request: `PUT ${leases}/d?dryRun=All`, body: { metadata: { name: "d" } } },
      { request: `PUT ${leases}/e`, body: { metadata: { name: "e", labels: { a: "!" } } } },
      { request: `PUT ${leases}/a`, body: { metadata } },
      { request: `PUT ${services}/a`, body: { metadata, spec: { ports: [{ port: 80 }] } } },
      { request: `PUT ${roles}/a`, body: { metadata } },
      { request: "PUT /apis/coordination.k8s.io/v1/namespaces/none/leases/a", body: { metadata } },
      { request: `PUT ${maps}/none`, body: { metadata: { name: "none" } } },
    ],
  },
  {
    name: "strict-patches",
    steps: [
      ...strict.install,
      { request: `POST ${maps}`, body: { metadata }, unrecorded: true },
      { request: `POST ${strict.path}`, body: strict.object("a"), unrecorded: true },
      ...["Strict", "Warn", "Ignore"].flatMap((wish) =>
        [maps, strict.path].flatMap((path): RequestStep[] => [
          { request: `PATCH ${path}/a?fieldValidation=${wish}`, headers: merge, body: { zz: 1, metadata: { yy: 2 } } },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: jsonPatch,
            body: [{ op: "add", path: "/zz", value: 1 }],
          },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: merge,
            body: '{"metadata":{"labels":{"a":"1","a":"2"}}}',
          },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: strategic,
            body: '{"metadata":{"labels":{"a":"1","a":"2"},"yy":1}}',
          },
        ]),
      ),
      ...[merge, strategic, jsonPatch].flatMap((headers) =>
        ["null", "[[null]]", "{"].map((body): RequestStep => ({ request: `PATCH ${maps}/none`, headers, body })),
      ),
      {
        request: `PATCH ${maps}/a?fieldManager=m`,
        headers: apply,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata, binaryData: { b: "!" } },
      },
    ],
  },
  {
    name: "wrong-metadata",
    steps: [
      ...thing.install,
      ...kinds.flatMap(([path, object]): RequestStep[] => [
        { request: `POST ${path}`, body: object, unrecorded: true },
        ...wrongMeta.flatMap((wrong): RequestStep[] => [
          dry(path, { ...object, metadata: { name: "b", ...wrong } }),
          { request: `PATCH ${path}/a?dryRun=All`, headers: merge, body: { metadata: wrong } },
        ]),
        dry(path, { ...object, metadata: {} }),
      ]),
    ],
  },
  {
    name: "finalizer-warnings",
    steps: [
      ...held.install,
      dry(held.path, hold("b", "ab")),
      dry(held.path, hold("b", "a.b")),
      dry(held.path, hold("b", "a.b/c", "orphan", "foregroundDeletion", "kubernetes")),
      dry(held.path, hold("b", "x", "x")),
      dry(held.path, hold("b", "")),
      { request: `POST ${held.path}`, body: hold("a", "b") },
      { request: `PATCH ${held.path}/a`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      { request: `PATCH ${held.path}/a`, headers: merge, body: { metadata: { finalizers: ["b", "c"] } } },
      { request: `PATCH ${held.path}/a?fieldManager=m`, headers: apply, body: hold("a", "d") },
    ],
  },
  {
    name: "binding-refusals",
    steps: [
      ...[
        { apiGroup: "x", kind: "Role", name: "r" },
        { apiGroup: rbac, kind: "x", name: "r" },
        { apiGroup: rbac, kind: "Role", name: "" },
        { apiGroup: rbac, kind: "Role", name: "a/b" },
        undefined,
      ].map((roleRef) => dry(bindings, { metadata, roleRef })),
      ...[
        { kind: "x", name: "a" },
        { kind: "User", name: "" },
        { kind: "User", name: "a", apiGroup: "x" },
        { kind: "Group", name: "a" },
        { kind: "ServiceAccount", name: "A b" },
        { kind: "ServiceAccount", name: "a", apiGroup: "x" },
        { kind: "ServiceAccount", name: "a", namespace: "" },
        {},
      ].flatMap((subject) => [
        dry(bindings, { metadata, roleRef, subjects: [subject] }),
        dry(`/apis/${rbac}/v1/clusterrolebindings`, {
          metadata,
          roleRef: { ...roleRef, kind: "ClusterRole" },
          subjects: [subject],
        }),
      ]),
      dry(maps, { metadata, data: { a: "b" }, binaryData: { a: "", "a b": "" } }),
    ],
  },
  {
    name: "pod-refusals",
    steps: [
      { volumes: [{ name: "v" }], containers: [{ ...app, volumeMounts: [{ name: "w", mountPath: "/w" }] }] },
      { volumes: ["v", "v"].map((name) => ({ name, emptyDir: {} })), containers: [app] },
      { containers: [app, app] },
      { initContainers: [{ ...app, name: "i" }, { name: "j" }], containers: [app] },
      { containers: [{ ...app, ports: [{ containerPort: 70_000 }, { name: "x" }] }] },
      { containers: [{ ...app, resources: { requests: { memory: "-1Gi" }, limits: { cpu: "-1" } } }] },
      { containers: [{ ...app, resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }] },
      { containers: [app], nodeSelector: { "a b": "!" } },
      { containers: [] },
    ].flatMap((spec) => [
      dry(pods, { metadata, spec }),
      dry(deployments, { metadata, spec: { ...workload, template: { ...template, spec } } }),
    ]),
  },
];
