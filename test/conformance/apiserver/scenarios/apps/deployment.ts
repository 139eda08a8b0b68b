import { merge, strategic, type Scenario } from "../../scenario.ts";
import { apps } from "../../steps.ts";
import { counts, newImage, ofTemplates, other, rolling, selected, tried } from "../../tried-values.ts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "a" } };
const deployment = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { selector, template, ...spec } });

export const scenarios: readonly Scenario[] = [
  tried("deployments", {
    path: `${apps}/deployments`,
    spec: selected,
    wished: [
      ...ofTemplates,
      ...[
        { type: "x" },
        { type: "Recreate", ...rolling({}) },
        rolling({ maxSurge: "x" }),
        rolling({ maxUnavailable: 0, maxSurge: 0 }),
        rolling({ maxUnavailable: "0%", maxSurge: 0 }),
        rolling({ maxUnavailable: "101%", maxSurge: "200%" }),
        rolling({ maxUnavailable: "5", maxSurge: -1 }),
        rolling({ maxUnavailable: "-5%", maxSurge: "a%" }),
      ].map((strategy) => ({ strategy })),
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
    ],
    changes: [other, { selector: null }, newImage, { strategy: { type: "Recreate" } }, { strategy: null }],
    statuses: counts({}, "replicas", "unavailableReplicas"),
  }),
  {
    name: "deployment",
    steps: [
      { request: `POST ${apps}/deployments`, body: deployment("a") },
      { request: `POST ${apps}/deployments`, body: deployment("b", { selector: { matchLabels: { app: "other" } } }) },
      { request: `POST ${apps}/deployments`, body: { metadata: { name: "c" }, spec: {} } },
      { request: `POST ${apps}/deployments`, body: deployment("d", { replicas: -1 }) },
      { request: `POST ${apps}/deployments`, body: deployment("e", { replicas: "x" }) },
      { request: `POST ${apps}/deployments`, body: deployment("f", { strategy: { type: "Recreate" } }) },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: merge,
        body: { spec: { selector: { matchLabels: { app: "x" } } } },
      },
      { request: `PATCH ${apps}/deployments/a`, headers: merge, body: { metadata: { annotations: { a: "b" } } } },
      { request: `PATCH ${apps}/deployments/a`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "c", env: [{ name: "A", value: "1" }] }] } } } },
      },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "side", image: "busybox:1.36" }] } } } },
      },
      { request: `GET ${apps}/deployments/a/scale` },
      { request: `PATCH ${apps}/deployments/a/scale`, headers: merge, body: { spec: { replicas: 3 } } },
      { request: `PATCH ${apps}/deployments/a/scale`, headers: merge, body: { spec: { replicas: -3 } } },
      {
        request: `PATCH ${apps}/deployments/a/status`,
        headers: merge,
        body: {
          metadata: { labels: { x: "y" }, annotations: { x: "y" } },
          spec: { replicas: 9 },
          status: { replicas: 2, observedGeneration: 4 },
        },
      },
      { request: `GET ${apps}/deployments/a` },
      { request: `DELETE ${apps}/deployments/a` },
    ],
  },
];
