import type { Scenarios } from "../../scenario.ts";
import { apps } from "../../steps.ts";
import { newImage, ofTemplates, other, selected, tried } from "../../tried-values.ts";

export const scenarios: Scenarios = {
  "values-replica-sets": tried({
    path: `${apps}/replicasets`,
    spec: selected,
    wished: [...ofTemplates.slice(0, 6), { replicas: -1 }],
    changes: [other, { selector: null }, newImage, { replicas: 3 }],
  }),
};
