import type { Scenarios } from "../../scenario.ts";
import { template, tried } from "../../tried-values.ts";

export const scenarios: Scenarios = {
  "values-replication-controllers": tried({
    path: "/api/v1/namespaces/{ns}/replicationcontrollers",
    spec: { selector: { a: "b" }, template: template() },
    wished: [
      { replicas: -1, minReadySeconds: -1 },
      { template: null },
      { selector: null },
      { selector: { a: "c" } },
      { template: template({ restartPolicy: "Never", activeDeadlineSeconds: 1 }) },
      { template: template({ containers: [] }) },
    ],
    changes: [{ selector: { a: "c" } }, { template: { spec: { restartPolicy: "OnFailure" } } }, { replicas: -2 }],
    statuses: [
      { replicas: -1 },
      { replicas: 1, fullyLabeledReplicas: 2 },
      { replicas: 1, readyReplicas: 2, availableReplicas: 3 },
      { observedGeneration: -1 },
    ],
  }),
};
