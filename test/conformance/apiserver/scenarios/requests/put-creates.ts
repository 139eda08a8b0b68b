import { customKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenario } from "../../scenario.ts";
import { maps } from "../../steps.ts";

const services = "/api/v1/namespaces/{ns}/services";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const metadata = { name: "a" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const thing = customKind("wrongmetas");

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

const dry = (path: string, body: unknown): RequestStep => ({ request: `POST ${path}?dryRun=All`, body });

export const scenarios: readonly Scenario[] = [
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
];
