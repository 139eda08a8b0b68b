import type { Scenarios } from "../../scenario.ts";
import { POST, PUT } from "../../requests.ts";

export const scenarios: Scenarios = {
  lease: [
    POST("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", {
      metadata: { name: "l" },
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        acquireTime: "2024-01-01T00:00:00.000000Z",
        renewTime: "2024-01-01T00:00:00.000000Z",
        leaseTransitions: 0,
      },
    }),
    PUT("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l", {
      metadata: { name: "l", resourceVersion: "1" },
      spec: { holderIdentity: "b" },
    }),
    PUT("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l", {
      metadata: { name: "l" },
      spec: { holderIdentity: "b" },
    }),
    POST("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", {
      metadata: { name: "m" },
      spec: { leaseDurationSeconds: 0 },
    }),
  ],
};
