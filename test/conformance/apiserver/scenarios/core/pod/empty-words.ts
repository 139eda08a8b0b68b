import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { core, dry } from "../../../steps.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${core}/pods`, { spec: { containers: [container], ...spec } });

export const scenarios: Scenarios = {
  "pods-empty-words": [
    pod({ runtimeClassName: "A_B" }),
    pod({ runtimeClassName: "a".repeat(254) }),
    pod({ runtimeClassName: null }),
    pod({ priorityClassName: "" }),
    pod({ schedulerName: "" }),
    pod({ serviceAccountName: "" }),
    pod({ nodeName: "" }),
    pod({ hostname: "" }),
    pod({ subdomain: "" }),
    dry("/apis/apps/v1/namespaces/{ns}/deployments", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container], runtimeClassName: "" } },
      },
    }),
  ],
};
