import { customKind, schemaOf } from "../../custom-kind.ts";
import type { RequestStep, Scenario } from "../../scenario.ts";
import { apps, change, condition, core, create, settles, templateOf } from "./watching.ts";

const autoscalers = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
const deployments = `${apps}/deployments`;
const things = customKind("autoscaled", {
  schema: { openAPIV3Schema: schemaOf({ replicas: { type: "integer" } }) },
  subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
});
const { apiVersion, kind } = things.object("g");
const deployment = (name: string, replicas: number) => ({
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: templateOf(name) },
});
const autoscaler = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
    minReplicas: 2,
    maxReplicas: 3,
    ...spec,
  },
});
const decides = (name: string, type: string, reason: string): RequestStep =>
  settles(`${autoscalers}/${name}`, (object) => condition(object, type)?.reason === reason);
const hasReplicas = (name: string, replicas: number): RequestStep =>
  settles(`${deployments}/${name}`, ({ spec }) => spec.replicas === replicas, {
    pick: ({ spec }) => ({ replicas: spec.replicas }),
  });
const target = (name: string, scaleTargetRef: object): readonly RequestStep[] => [
  create(autoscalers, autoscaler(name, { scaleTargetRef: { name: "a", ...scaleTargetRef } })),
  decides(name, "AbleToScale", "FailedGetScale"),
];

/** Waits for so many different events of autoscalers, of these reasons. They are repeated every 15 seconds. */
function tells(count: number, ...reasons: string[]): RequestStep {
  const textOf = ({ involvedObject, type, reason, message, source }: any): string =>
    JSON.stringify([involvedObject.name, type, reason, message, source.component]);
  const told = ({ items }: any): string[] => [
    ...new Set<string>(items.filter(({ reason }: any) => reasons.includes(reason)).map(textOf)),
  ];
  return {
    request: `GET ${core}/events?fieldSelector=involvedObject.kind=HorizontalPodAutoscaler`,
    until: (body) => told(body).length >= count,
    pick: (body) => ({ items: told(body).toSorted() }),
  };
}

/** A round begins every 15 seconds. */
const nextRound = { advance: 15 };
const measured = { name: "m", selector: { matchLabels: { a: "b" } } };
const selected = { name: "n", selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b", "c"] }] } };
const average = { type: "AverageValue", averageValue: "5" };
const amount = { type: "Value", value: "5" };
const utilization = { type: "Utilization", averageUtilization: 50 };
const ofService = (target: object) => ({
  type: "Object",
  object: { metric: measured, describedObject: { apiVersion: "v1", kind: "Service", name: "s" }, target },
});
const metrics = {
  memory: [{ type: "Resource", resource: { name: "memory", target: average } }],
  container: [{ type: "ContainerResource", containerResource: { name: "cpu", container: "c", target: utilization } }],
  "container-usage": [
    { type: "ContainerResource", containerResource: { name: "memory", container: "c", target: average } },
  ],
  pods: [{ type: "Pods", pods: { metric: measured, target: average } }],
  object: [ofService(amount)],
  "object-average": [ofService(average)],
  external: [{ type: "External", external: { metric: measured, target: average } }],
  selected: [{ type: "External", external: { metric: selected, target: amount } }],
  two: [
    { type: "External", external: { metric: { name: "n" }, target: amount } },
    { type: "Resource", resource: { name: "cpu", target: utilization } },
  ],
};

/** An autoscaler on a cluster without metrics keeps replicas between its limits, and tells that it lacks metrics. */
export const autoscalerScenarios: readonly Scenario[] = [
  {
    name: "controllers-autoscaler",
    controllers: true,
    steps: [
      create(deployments, deployment("a", 1)),
      create(autoscalers, autoscaler("a")),
      hasReplicas("a", 2),
      nextRound,
      decides("a", "ScalingActive", "FailedGetResourceMetric"),
      change(`${deployments}/a`, { spec: { replicas: 5 } }),
      nextRound,
      hasReplicas("a", 3),
      change(`${autoscalers}/a`, { spec: { maxReplicas: 10, minReplicas: 4 } }),
      nextRound,
      hasReplicas("a", 4),
      change(`${deployments}/a`, { spec: { replicas: 0 } }),
      nextRound,
      decides("a", "ScalingActive", "ScalingDisabled"),
      tells(3, "SuccessfulRescale"),
    ],
  },
  {
    name: "controllers-autoscaler-targets",
    controllers: true,
    steps: [
      ...target("missing", { apiVersion: "apps/v1", kind: "Deployment" }),
      ...target("unknown", { apiVersion: "example.com/v1", kind: "Unknown" }),
      ...target("elsewhere", { apiVersion: "apps/v9", kind: "Deployment" }),
      ...target("fixed", { apiVersion: "batch/v1", kind: "Job" }),
      tells(4, "FailedGetScale"),
    ],
  },
  {
    name: "controllers-autoscaler-metrics",
    controllers: true,
    steps: [
      ...Object.entries(metrics).flatMap(([name, metrics]) => [
        create(deployments, deployment(name, 2)),
        create(autoscalers, autoscaler(name, { metrics })),
      ]),
      ...Object.keys(metrics).map((name) =>
        settles(`${autoscalers}/${name}`, (object) => condition(object, "ScalingActive") !== undefined),
      ),
      tells(9, "FailedComputeMetricsReplicas"),
      tells(
        10,
        ...["Resource", "ContainerResource", "Pods", "Object", "External"].map((metric) => `FailedGet${metric}Metric`),
      ),
    ],
  },
  {
    name: "controllers-autoscaler-selectors",
    controllers: true,
    steps: [
      ...things.install,
      create(things.path, things.object("g", { spec: { replicas: 2 } })),
      create(autoscalers, autoscaler("g", { scaleTargetRef: { apiVersion, kind, name: "g" } })),
      decides("g", "ScalingActive", "InvalidSelector"),
      tells(2, "SelectorRequired", "FailedComputeMetricsReplicas"),
      create(deployments, deployment("a", 2)),
      create(autoscalers, autoscaler("a")),
      decides("a", "ScalingActive", "FailedGetResourceMetric"),
      create(autoscalers, { ...autoscaler("a"), metadata: { name: "b" } }),
      settles(`${autoscalers}/b`, (object) => condition(object, "ScalingActive") !== undefined, {
        // Its message has the autoscalers in any order.
        pick: (object) => ({ reason: condition(object, "ScalingActive").reason }),
      }),
    ],
  },
];
