import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../../src/apimachinery/meta.ts";
import { autoscalerV1 } from "../../../../../src/apiserver/kinds/autoscaling/autoscaler-v1.ts";

const { read, write } = autoscalerV1.view!;
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } };
const memory = {
  type: "Resource",
  resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
};
const pods = { type: "Pods", pods: { metric: { name: "n" }, target: { type: "AverageValue", averageValue: "2" } } };

const autoscaler = (spec: object, status: object): UnstructuredObject => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a", annotations: { own: "kept" } },
  spec: {
    minReplicas: 1,
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    ...spec,
  },
  status: { desiredReplicas: 2, currentMetrics: null, ...status },
});

it.each([
  [autoscaler({ metrics: [cpu] }, {})],
  [autoscaler({ metrics: [memory, pods] }, { currentReplicas: 1 })],
  [autoscaler({ metrics: [memory, cpu] }, { conditions: [{ type: "AbleToScale", status: "True" }] })],
  [
    autoscaler(
      { metrics: [cpu], behavior: { scaleDown: { selectPolicy: "Disabled", tolerance: "5m" } } },
      { currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40 } } }] },
    ),
  ],
])("keeps %j in a round trip", (stored) => {
  expect(write(structuredClone(read(stored)))).toEqual(stored);
});

it("shows the target of the CPU as a field and other metrics in an annotation", () => {
  const shown = read(autoscaler({ metrics: [memory, cpu] }, {}));
  expect(shown["spec"]).toMatchObject({ targetCPUUtilizationPercentage: 60 });
  expect(shown["spec"]).not.toHaveProperty("metrics");
  expect(shown.metadata.annotations).toEqual({
    own: "kept",
    "autoscaling.alpha.kubernetes.io/metrics": JSON.stringify([memory]),
  });
});
