import { merge, type Scenario } from "../../scenario.ts";

const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";

export const scenarios: readonly Scenario[] = [
  {
    name: "priorities",
    steps: [
      { request: `GET ${priorities}/system-cluster-critical` },
      { request: `GET ${priorities}/system-node-critical` },
      { request: `POST ${priorities}`, body: { metadata: { name: "system-mine" }, value: 1 } },
      { request: `POST ${priorities}`, body: { metadata: { name: "big" }, value: 1_000_000_001 } },
      { request: `POST ${priorities}`, body: { metadata: { name: "fine" }, value: 7, description: "mine" } },
      { request: `PATCH ${priorities}/fine`, headers: merge, body: { value: 8 } },
      { request: `DELETE ${priorities}/system-node-critical` },
      { request: `DELETE ${priorities}/fine` },
    ],
  },
  {
    name: "default-priority",
    steps: [
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-a" }, value: 5, globalDefault: true } },
      {
        // A moment passes until the server's admission knows of the first.
        request: `POST ${priorities}?dryRun=All`,
        body: { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true },
        until: (_, status) => status === 403,
        unrecorded: true,
      },
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true } },
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-b" }, value: 5 } },
      { request: `PATCH ${priorities}/{ns}-b`, headers: merge, body: { globalDefault: true } },
      { request: `PATCH ${priorities}/{ns}-a`, headers: merge, body: { globalDefault: true, description: "d" } },
      { request: `DELETE ${priorities}/{ns}-a` },
      { request: `DELETE ${priorities}/{ns}-b` },
    ],
  },
];
