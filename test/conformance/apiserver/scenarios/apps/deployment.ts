import { merge, strategic, type Scenarios } from "../../scenario.ts";
import { apps } from "../../steps.ts";
import { newImage, ofTemplates, other, rolling, selected, tried } from "../../tried-values.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "a" } };
const deployment = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { selector, template, ...spec } });

export const scenarios: Scenarios = {
  "values-deployments": tried({
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
  }),
  deployment: [
    POST(`${apps}/deployments`, deployment("a")),
    POST(`${apps}/deployments`, deployment("b", { selector: { matchLabels: { app: "other" } } })),
    POST(`${apps}/deployments`, { metadata: { name: "c" }, spec: {} }),
    POST(`${apps}/deployments`, deployment("d", { replicas: -1 })),
    POST(`${apps}/deployments`, deployment("e", { replicas: "x" })),
    POST(`${apps}/deployments`, deployment("f", { strategy: { type: "Recreate" } })),
    PATCH(`${apps}/deployments/a`, merge, { spec: { selector: { matchLabels: { app: "x" } } } }),
    PATCH(`${apps}/deployments/a`, merge, { metadata: { annotations: { a: "b" } } }),
    PATCH(`${apps}/deployments/a`, merge, { metadata: { labels: { a: "b" } } }),
    PATCH(`${apps}/deployments/a`, strategic, {
      spec: { template: { spec: { containers: [{ name: "c", env: [{ name: "A", value: "1" }] }] } } },
    }),
    PATCH(`${apps}/deployments/a`, strategic, {
      spec: { template: { spec: { containers: [{ name: "side", image: "busybox:1.36" }] } } },
    }),
    GET(`${apps}/deployments/a/scale`),
    PATCH(`${apps}/deployments/a/scale`, merge, { spec: { replicas: 3 } }),
    PATCH(`${apps}/deployments/a/scale`, merge, { spec: { replicas: -3 } }),
    PATCH(`${apps}/deployments/a/status`, merge, {
      metadata: { labels: { x: "y" }, annotations: { x: "y" } },
      spec: { replicas: 9 },
      status: { replicas: 2, observedGeneration: 4 },
    }),
    GET(`${apps}/deployments/a`),
    DELETE(`${apps}/deployments/a`),
  ],
};
