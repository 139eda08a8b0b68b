import type { Scenario } from "../../scenario.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "lease",
    steps: [
      {
        request: `POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases`,
        body: {
          metadata: { name: "l" },
          spec: {
            holderIdentity: "a",
            leaseDurationSeconds: 15,
            acquireTime: "2024-01-01T00:00:00.000000Z",
            renewTime: "2024-01-01T00:00:00.000000Z",
            leaseTransitions: 0,
          },
        },
      },
      {
        request: `PUT /apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l`,
        body: { metadata: { name: "l", resourceVersion: "1" }, spec: { holderIdentity: "b" } },
      },
      {
        request: `PUT /apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l`,
        body: { metadata: { name: "l" }, spec: { holderIdentity: "b" } },
      },
      {
        request: `POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases`,
        body: { metadata: { name: "m" }, spec: { leaseDurationSeconds: 0 } },
      },
    ],
  },
];
