import type { Scenario } from "../../scenario.ts";
import { apps } from "../../steps.ts";
import { newImage, ofTemplates, other, selected, tried } from "../../tried-values.ts";

export const scenarios: readonly Scenario[] = [
  tried("replica-sets", {
    path: `${apps}/replicasets`,
    spec: selected,
    wished: [...ofTemplates.slice(0, 6), { replicas: -1 }],
    changes: [other, { selector: null }, newImage, { replicas: 3 }],
    statuses: [{ observedGeneration: -1 }],
  }),
];
