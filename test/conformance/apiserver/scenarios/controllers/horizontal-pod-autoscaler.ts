import { change, condition, create, settles, templateOf } from "../../controller-steps.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { autoscalers, core, deployments } from "../../steps.ts";
import { GET } from "../../requests.ts";

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

/** Waits for the events of as many changes of size. */
const resized = (count: number): RequestStep =>
  GET(`${core}/events?fieldSelector=involvedObject.kind=HorizontalPodAutoscaler,reason=SuccessfulRescale`, {
    until: ({ items }) => items.length >= count,
    pick: ({ items }) => items.map(({ type, source }: any) => ({ type, component: source.component })),
  });

/** A round begins every 15 seconds. */
const nextRound = { advance: 15 };

/** On a cluster without metrics, an autoscaler keeps the replicas of its target between its limits. */
export const scenarios: Scenarios = {
  "controllers-autoscaler": [
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
    resized(3),
  ],
};
