import { merge, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";

export const scenarios: Scenarios = {
  priorities: [
    GET(`${priorities}/system-cluster-critical`),
    GET(`${priorities}/system-node-critical`),
    POST(priorities, { metadata: { name: "system-mine" }, value: 1 }),
    POST(priorities, { metadata: { name: "big" }, value: 1_000_000_001 }),
    POST(priorities, { metadata: { name: "fine" }, value: 7, description: "mine" }),
    PATCH(`${priorities}/fine`, merge, { value: 8 }),
    DELETE(`${priorities}/system-node-critical`),
    DELETE(`${priorities}/fine`),
  ],
  "default-priority": [
    POST(priorities, { metadata: { name: "{ns}-a" }, value: 5, globalDefault: true }),
    {
      // A moment passes until the server's admission knows of the first.
      request: `POST ${priorities}?dryRun=All`,
      body: { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true },
      until: (_, status) => status === 403,
      unrecorded: true,
    },
    POST(priorities, { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true }),
    POST(priorities, { metadata: { name: "{ns}-b" }, value: 5 }),
    PATCH(`${priorities}/{ns}-b`, merge, { globalDefault: true }),
    PATCH(`${priorities}/{ns}-a`, merge, { globalDefault: true, description: "d" }),
    DELETE(`${priorities}/{ns}-a`),
    DELETE(`${priorities}/{ns}-b`),
  ],
};
