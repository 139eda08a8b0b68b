import { merge, type RequestStep, type Scenario } from "../scenario.ts";
import { dry, ns, refusal } from "./refused-in-dry-run.ts";

const ranges = "service.beta.kubernetes.io/load-balancer-source-ranges";
const noted = (text: string, spec: object = { type: "LoadBalancer" }): RequestStep =>
  dry(`${ns}/services`, {
    metadata: { name: "a", annotations: { [ranges]: text } },
    spec: { ports: [{ port: 80 }], ...spec },
  });
const update = (body: object): RequestStep => ({
  request: `PATCH ${ns}/services/s?dryRun=All`,
  headers: merge,
  body,
  pick: refusal,
});

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${ns}/pods`, { spec: { containers: [container], ...spec } });
const name = { fieldRef: { fieldPath: "metadata.name" } };
const downward = (...paths: readonly string[]): object => ({
  downwardAPI: { items: paths.map((path) => ({ path, ...name })) },
});
const config = (source: string, ...paths: readonly string[]): object => ({
  configMap: { name: source, ...(paths.length > 0 && { items: paths.map((path) => ({ key: "k", path })) }) },
});
const secret = (source: string, ...paths: readonly string[]): object => ({
  secret: { name: source, items: paths.map((path) => ({ key: "k", path })) },
});
const projected = (...sources: readonly object[]): RequestStep =>
  pod({ volumes: [{ name: "v", projected: { sources } }] });

export const formerAnnotationScenarios: readonly Scenario[] = [
  {
    name: "annotations-source-ranges",
    steps: [
      ...[
        "10.0.0.0/8",
        "10.0.0.0/8, 11.0.0.0/8",
        " 10.0.0.0/8 ",
        "10.0.0.0/8,",
        "10.1.2.3/8",
        "010.0.0.0/8",
        "2001:DB8::/64",
        "x",
        "x,10.0.0.0/8,y",
        "",
        " ",
      ].map((text) => noted(text)),
      noted("10.0.0.0/8", {}),
      noted("x", {}),
      noted("", {}),
      noted("10.0.0.0/8", { type: "NodePort" }),
      noted("x", { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0/8"] }),
      noted("x", { type: "LoadBalancer", loadBalancerSourceRanges: ["y"] }),
      noted("10.0.0.0/8", { loadBalancerSourceRanges: ["10.0.0.0/8"] }),
      {
        request: `POST ${ns}/services`,
        body: {
          metadata: { name: "s", annotations: { [ranges]: "10.0.0.0/8" } },
          spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
        },
        pick: refusal,
      },
      update({ metadata: { annotations: { [ranges]: "x" } } }),
      update({ metadata: { annotations: { [ranges]: "10.1.2.3/8" } } }),
      update({ spec: { type: "ClusterIP" } }),
      update({ metadata: { annotations: null }, spec: { type: "ClusterIP" } }),
      {
        ...update({ metadata: { annotations: { [ranges]: "x" } } }),
        request: `PATCH ${ns}/services/s/status?dryRun=All`,
      },
    ],
  },
  {
    name: "pods-empty-words",
    steps: [
      pod({ runtimeClassName: "" }),
      pod({ runtimeClassName: "A_B" }),
      pod({ runtimeClassName: "a".repeat(254) }),
      pod({ runtimeClassName: null }),
      pod({ priorityClassName: "" }),
      pod({ schedulerName: "" }),
      pod({ serviceAccountName: "" }),
      pod({ nodeName: "" }),
      pod({ hostname: "" }),
      pod({ subdomain: "" }),
      dry("/apis/apps/v1/namespaces/{ns}/deployments", {
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [container], runtimeClassName: "" } },
        },
      }),
    ],
  },
  {
    name: "pods-projected-paths",
    steps: [
      projected(downward("a", "a")),
      projected(downward("a"), downward("a")),
      projected(downward("a"), config("x", "a")),
      projected(config("x", "a"), downward("a")),
      projected(config("x", "a", "a")),
      projected(config("x", "a"), config("y", "a")),
      projected(secret("x", "a"), secret("y", "a")),
      projected(secret("x", "a", "a")),
      projected(secret("x", "a"), config("y", "a")),
      projected(secret("x", "a"), config("y", "a"), downward("a", "b", "a")),
      projected(downward("a"), downward("a/b")),
      projected(downward("a", "./a")),
      pod({ volumes: [{ name: "v", ...downward("a", "a") }] }),
      pod({
        volumes: [
          {
            name: "v",
            configMap: {
              name: "x",
              items: [
                { key: "a", path: "p" },
                { key: "b", path: "p" },
              ],
            },
          },
        ],
      }),
    ],
  },
];
