import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`;
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const create = (version: string, name: string, spec: object, metadata: object = {}): RequestStep =>
  POST(autoscalers(version), {
    metadata: { name, ...metadata },
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
  });
const shown = (version: string, name: string): RequestStep => GET(`${autoscalers(version)}/${name}`);
const metrics = [
  { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 60 } },
  },
  {
    type: "Pods",
    pods: {
      metric: { name: "packets", selector: { matchLabels: { a: "b" } } },
      target: { type: "AverageValue", averageValue: "1k" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" },
      metric: { name: "requests" },
      target: { type: "Value", value: "10k" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { kind: "Service", name: "s" },
      metric: { name: "requests" },
      target: { type: "AverageValue", averageValue: "5" },
    },
  },
  { type: "External", external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } } },
  { type: "External", external: { metric: { name: "line" }, target: { type: "Value", value: "30" } } },
];
const behavior = {
  scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: "Pods", value: 4, periodSeconds: 15 }] },
  scaleUp: { selectPolicy: "Disabled" },
};
const status = {
  observedGeneration: 1,
  currentReplicas: 2,
  desiredReplicas: 3,
  currentMetrics: [
    { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40, averageValue: "10m" } } },
  ],
  conditions: [
    { type: "AbleToScale", status: "True", reason: "R", message: "m", lastTransitionTime: "2026-01-01T00:00:00Z" },
  ],
};

/** The older version of autoscalers: another view of the same objects, what it has no field for is in annotations. */
export const scenarios: Scenarios = {
  "autoscaling-v1": [
    create("v1", "plain", {}),
    shown("v2", "plain"),
    create("v1", "cpu", { minReplicas: 2, targetCPUUtilizationPercentage: 70 }, { annotations: { a: "b" } }),
    shown("v2", "cpu"),
    create("v2", "many", { metrics }),
    shown("v1", "many"),
    PATCH(`${autoscalers("v1")}/many`, merge, { spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 55 } }),
    shown("v2", "many"),
    PATCH(`${autoscalers("v2")}/many/status`, merge, { status }),
    shown("v1", "many"),
    GET(`${autoscalers("v1")}/many/status`),
    PATCH(`${autoscalers("v1")}/cpu/status`, merge, {
      status: { currentReplicas: 2, desiredReplicas: 2, currentCPUUtilizationPercentage: 33 },
    }),
    shown("v2", "cpu"),
    create("v1", "wrong", { minReplicas: 5, scaleTargetRef: {} }),
    create("v1", "also-wrong", { targetCPUUtilizationPercentage: 0 }),
    GET(autoscalers("v1"), {
      pick: ({ kind, apiVersion, items }) => [kind, apiVersion, items.map(({ spec }: any) => spec)],
    }),
    GET(autoscalers("v1"), {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      pick: ({ rows }) => rows.map(({ cells }: any) => cells.slice(0, -1)),
    }),
    create("v2", "behaving", { behavior }),
    shown("v1", "behaving"),
    PATCH(`${autoscalers("v1")}/behaving`, merge, { spec: { maxReplicas: 5 } }),
    shown("v2", "behaving"),
    DELETE(`${autoscalers("v1")}/plain`),
    GET(`${autoscalers("v2")}/plain`),
  ],
};
