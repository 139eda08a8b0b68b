import type { Scenarios } from "../../scenario.ts";
import { tried } from "../../tried-values.ts";

export const scenarios: Scenarios = {
  "values-budgets": tried({
    path: "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    spec: { selector: { matchLabels: { a: "b" } } },
    wished: [
      ...[1, -1, "x", "101%", "100%"].map((minAvailable) => ({ minAvailable })),
      { selector: { matchLabels: { "a b": "c" } } },
      ...["x", "", "AlwaysAllow"].map((unhealthyPodEvictionPolicy) => ({ unhealthyPodEvictionPolicy })),
    ],
    changes: [{ minAvailable: 2 }, { maxUnavailable: -1 }, { selector: null }, { unhealthyPodEvictionPolicy: "x" }],
  }),
};
