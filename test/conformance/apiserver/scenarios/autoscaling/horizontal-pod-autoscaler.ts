import type { Scenarios } from "../../scenario.ts";
import { autoscalers, dry } from "../../steps.ts";
import { tried } from "../../tried-values.ts";

const scaled = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const metrics = (...list: object[]): object => ({ metrics: list });
const ofResource = (target: object, name: string | undefined = "cpu"): object =>
  metrics({ type: "Resource", resource: { name, target } });
const half = { type: "Utilization", averageUtilization: 50 };
const external = (target: object): object => metrics({ type: "External", external: { metric: { name: "x" }, target } });
const scaleUp = (rules: object): object => ({ behavior: { scaleUp: rules } });

export const scenarios: Scenarios = {
  "values-autoscalers": tried({
    path: autoscalers,
    spec: { scaleTargetRef: scaled, maxReplicas: 3 },
    wished: [
      ...[0, -1, 5].map((minReplicas) => ({ minReplicas })),
      { maxReplicas: 0 },
      { scaleTargetRef: {} },
      { scaleTargetRef: { ...scaled, kind: "x/y", apiVersion: "a/b/c" } },
      metrics({}),
      metrics({ type: "x" }),
      metrics({ type: "Resource" }),
      ofResource({}, ""),
      ...[
        { type: "Utilization" },
        { ...half, averageUtilization: 0 },
        { ...half, type: "x" },
        { ...half, averageValue: "1" },
        { type: "AverageValue", averageValue: "0" },
        { type: "Value", value: "1" },
      ].map((target) => ofResource(target)),
      metrics({ type: "Resource", pods: {}, resource: { name: "cpu", target: half } }),
      metrics({ type: "Pods", resource: { name: "cpu", target: half } }),
      metrics({ type: "Pods", pods: {} }),
      metrics({ type: "Pods", pods: { metric: { name: "x/" }, target: { type: "Value", value: "1" } } }),
      metrics({ type: "Object", object: { describedObject: scaled } }),
      external({}),
      external({ type: "Value", value: "-1", averageValue: "1" }),
      metrics({ type: "ContainerResource", containerResource: {} }),
      metrics({ type: "ContainerResource", containerResource: { container: "A b", name: "cpu", target: half } }),
      scaleUp({}),
      scaleUp({ policies: [{}], selectPolicy: "x", stabilizationWindowSeconds: -1, tolerance: "-1" }),
      scaleUp({ policies: [{ type: "x", value: 1, periodSeconds: 1801 }], stabilizationWindowSeconds: 3601 }),
    ],
    changes: [{ minReplicas: 0 }, { scaleTargetRef: { name: "e" } }, { metrics: null }],
  }),
  "autoscaler-targets": [
    { apiVersion: "v1", kind: "ReplicationController" },
    { kind: "ReplicationController" },
    { apiVersion: "v1", kind: "Pod" },
    { apiVersion: "apps/v1", kind: "ReplicationController" },
    { apiVersion: "a/b/c", kind: "Deployment" },
    { apiVersion: "apps", kind: "Deployment" },
    { apiVersion: "apps/v1", kind: "a/b" },
    { apiVersion: "apps/v1", kind: "" },
    { apiVersion: "apps/v1", kind: "K", name: "" },
    { apiVersion: "apps/v1", kind: "K", name: "a/b" },
  ].map((target) => dry(autoscalers, { spec: { maxReplicas: 2, scaleTargetRef: { name: "x", ...target } } })),
};
