import { customKind } from "../../custom-kind.ts";
import { merge, type Scenario } from "../../scenario.ts";

const parallel = customKind("parallel");

export const scenarios: readonly Scenario[] = [
  {
    name: "parallel",
    steps: [
      ...parallel.install,
      { request: `POST ${parallel.path}`, body: parallel.object("a", { spec: { x: "0" } }), unrecorded: true },
      {
        request: `PATCH ${parallel.path}/a`,
        headers: merge,
        body: { metadata: { labels: { a: "b" } } },
        parallel: 20,
      },
      { request: `GET ${parallel.path}/a` },
    ],
  },
];
