import { customKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { budgets, deployments, leases, maps, roles, services } from "../../steps.ts";
import { PATCH, POST, PUT } from "../../requests.ts";

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

const dry = (path: string, body: unknown): RequestStep => POST(`${path}?dryRun=All`, body);

export const scenarios: Scenarios = {
  "put-creates": [
    PUT(`${leases}/a`, { metadata }),
    PUT(`${leases}/b`, { metadata: { name: "b", resourceVersion: "5" } }),
    PUT(`${leases}/c`, { metadata: { name: "c", uid: "12345678-1111-2222-3333-444444444444" } }),
    PUT(`${leases}/d?dryRun=All`, { metadata: { name: "d" } }),
    PUT(`${leases}/e`, { metadata: { name: "e", labels: { a: "!" } } }),
    PUT(`${leases}/a`, { metadata }),
    PUT(`${services}/a`, { metadata, spec: { ports: [{ port: 80 }] } }),
    PUT(`${roles}/a`, { metadata }),
    PUT("/apis/coordination.k8s.io/v1/namespaces/none/leases/a", { metadata }),
    PUT(`${maps}/none`, { metadata: { name: "none" } }),
  ],
  "wrong-metadata": [
    ...thing.install,
    ...kinds.flatMap(([path, object]): RequestStep[] => [
      POST(path, object, { unrecorded: true }),
      ...wrongMeta.flatMap((wrong): RequestStep[] => [
        dry(path, { ...object, metadata: { name: "b", ...wrong } }),
        PATCH(`${path}/a?dryRun=All`, merge, { metadata: wrong }),
      ]),
      dry(path, { ...object, metadata: {} }),
    ]),
  ],
};
