import type { Scenarios } from "../../scenario.ts";
import { apps } from "../../steps.ts";
import {
  container,
  newImage,
  ofTemplates,
  other,
  rolling,
  selected,
  strategies,
  template,
  tried,
} from "../../tried-values.ts";

export const scenarios: Scenarios = {
  "values-daemon-sets": tried({
    path: `${apps}/daemonsets`,
    spec: selected,
    wished: [
      ...ofTemplates.slice(1),
      ...strategies({ type: "x" }, { type: "OnDelete", ...rolling({}) }, { type: "OnDelete" }),
      ...strategies(rolling({ maxUnavailable: 0 }), rolling({ maxSurge: 1 }), rolling({ maxUnavailable: "x" })),
      ...strategies(rolling({ maxSurge: "101%", maxUnavailable: 0 }), rolling({ maxUnavailable: 0, maxSurge: 0 })),
      ...strategies(rolling({ maxUnavailable: 1, maxSurge: 1 }), rolling({ maxUnavailable: "120%" })),
      ...strategies(rolling({ maxUnavailable: -1 })),
      { template: template({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] }) },
    ],
    changes: [other, { selector: null }, newImage, ...strategies({ type: "OnDelete" }), { minReadySeconds: 5 }],
  }),
};
