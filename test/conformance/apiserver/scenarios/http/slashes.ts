import type { Scenario } from "../../scenario.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "slashes",
    steps: [
      { request: "GET /version/", pick: ({ major, minor }) => ({ major, minor }) },
      { request: "GET /api/", pick: ({ kind, versions }) => ({ kind, versions }) },
      { request: "GET /apis/", pick: ({ kind }) => kind },
      { request: "GET /api/v1/", pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) },
      { request: "GET /apis/apps/v1/", pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) },
      { request: "GET /healthz/" },
      { request: "GET /api/v1/namespaces/", pick: ({ kind }) => kind },
    ],
  },
];
