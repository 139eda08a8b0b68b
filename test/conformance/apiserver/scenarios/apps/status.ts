import type { Scenarios } from "../../scenario.ts";
import { post, tryPatch, words } from "../../steps.ts";

const replicas = ["replicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const counts = {
  deployments: [...replicas, "updatedReplicas", "unavailableReplicas", "collisionCount", "terminatingReplicas"],
  statefulsets: [...replicas, "updatedReplicas", "currentReplicas", "collisionCount"],
  replicasets: [...replicas, "fullyLabeledReplicas", "terminatingReplicas"],
  daemonsets: words(`
    currentNumberScheduled  numberMisscheduled  desiredNumberScheduled  numberReady  observedGeneration
    updatedNumberScheduled  numberAvailable  numberUnavailable  collisionCount
  `),
};
const statuses = (names: readonly string[]): object[] => [
  ...names.map((name) => ({ [name]: -1 })),
  Object.fromEntries(names.map((name) => [name, -1])),
  ...names.map((name) => ({ [name]: 1 })),
  Object.fromEntries(names.map((name) => [name, 1])),
];

export const scenarios: Scenarios = {
  "status-counts": Object.entries(counts).flatMap(([plural, names]) => [
    post(`/apis/apps/v1/namespaces/{ns}/${plural}`, "a", {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
    }),
    ...statuses(names).map((status) => tryPatch(`/apis/apps/v1/namespaces/{ns}/${plural}/a/status`, { status })),
  ]),
};
