import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { DELETE, GET, PATCH, POST } from "../../../requests.ts";

/** Queries and options of an eviction, which both may ask for a dry run. */
const evictions: readonly (readonly [query: string, options: Record<string, unknown>])[] = [
  ["", { dryRun: ["All"] }],
  ["?dryRun=All", { dryRun: ["All"] }],
  ["?dryRun=All", { dryRun: [] }],
  ["", { dryRun: ["x"] }],
  ["", { dryRun: "All" }],
  ["?dryRun=All", { preconditions: { resourceVersion: "1" } }],
  ["?dryRun=All", { propagationPolicy: "Sideways" }],
  ["?dryRun=All", { gracePeriodSeconds: -1 }],
];

const evict = (name: string, query: string, deleteOptions?: object): RequestStep =>
  POST(`${pods}/${name}/eviction${query}`, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name },
    deleteOptions,
  });
const disruption = ({ metadata: { generation, deletionGracePeriodSeconds }, status }: any): unknown => ({
  generation,
  deletionGracePeriodSeconds,
  status,
});

export const scenarios: Scenarios = {
  "eviction-condition": [
    ...["a", "b", "kept", "done"].map((name): RequestStep =>
      POST(
        pods,
        {
          metadata: { name, labels: { name }, ...(name === "kept" && { finalizers: ["x.io/keep"] }) },
          spec: { nodeName: name === "kept" ? "" : "n", containers: [{ name: "c", image: "i" }] },
        },
        { unrecorded: true },
      ),
    ),
    { open: "pods", request: `GET ${pods}?watch=true&labelSelector=name=a` },
    { read: "pods", count: 1 },
    evict("a", "?dryRun=All"),
    evict("a", "", { preconditions: { resourceVersion: "1" } }),
    GET(`${pods}/a`, { pick: disruption, save: { version: "metadata.resourceVersion" } }),
    evict("a", "", { preconditions: { resourceVersion: "{version}" } }),
    { read: "pods", count: 2 },
    GET(`${pods}/a`, { pick: disruption }),
    // Another one changes no more than the time that is left.
    evict("a", ""),
    GET(`${pods}/a`, { pick: disruption }),
    evict("a", "", { gracePeriodSeconds: 0 }),
    GET(`${pods}/a`),
    DELETE(`${pods}/b`, { pick: disruption }),
    evict("b", ""),
    GET(`${pods}/b`, { pick: disruption }),
    evict("kept", ""),
    GET(`${pods}/kept`, { pick: disruption }),
    PATCH(
      `${pods}/done/status`,
      merge,
      {
        status: {
          phase: "Succeeded",
          conditions: [
            {
              type: "DisruptionTarget",
              status: "True",
              reason: "Before",
              lastTransitionTime: "2020-01-01T00:00:00Z",
            },
            { type: "Ready", status: "False" },
          ],
        },
      },
      { pick: disruption },
    ),
    { open: "done", request: `GET ${pods}?watch=true&labelSelector=name=done` },
    { read: "done", count: 1 },
    evict("done", ""),
    { read: "done", count: 1 },
  ],
  "eviction-options": [
    POST(
      "/api/v1/namespaces/{ns}/pods",
      { metadata: { name: "a", labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      { unrecorded: true },
    ),
    ...evictions.map(([query, deleteOptions]): RequestStep =>
      POST(`/api/v1/namespaces/{ns}/pods/a/eviction${query}`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "a" },
        deleteOptions,
      }),
    ),
    GET("/api/v1/namespaces/{ns}/pods/a"),
  ],
  eviction: [
    POST(
      "/api/v1/namespaces/{ns}/pods",
      {
        metadata: { name: "a", labels: { app: "a" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
      { unrecorded: true },
    ),
    PATCH(
      "/api/v1/namespaces/{ns}/pods/a/status",
      merge,
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      { unrecorded: true },
    ),
    POST(
      "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
      { metadata: { name: "b" }, spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } } },
      { unrecorded: true },
    ),
    PATCH(
      "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b/status",
      merge,
      {
        status: {
          observedGeneration: 1,
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      },
      { unrecorded: true },
    ),
    POST("/api/v1/namespaces/{ns}/pods/a/eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "a" },
    }),
    POST("/api/v1/namespaces/{ns}/pods/none/eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "none" },
    }),
    PATCH(
      "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b/status",
      merge,
      { status: { disruptionsAllowed: 1 } },
      { unrecorded: true },
    ),
    POST("/api/v1/namespaces/{ns}/pods/a/eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "a" },
    }),
    GET("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b"),
  ],
  "eviction-names": [
    POST(pods, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } }),
    ...[{ metadata: { name: "other" } }, { metadata: { name: "p", namespace: "default" } }, {}].map((body) =>
      POST(`${pods}/p/eviction?dryRun=All`, body),
    ),
  ],
};
