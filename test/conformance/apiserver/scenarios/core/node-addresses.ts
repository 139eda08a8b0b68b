import { addresses, change, ranges } from "../../addresses.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { dry, refusal } from "../../steps.ts";
import { DELETE, PATCH, POST } from "../../requests.ts";

const node = (spec: object, status: object = {}): RequestStep => dry("/api/v1/nodes", { spec, status });

export const scenarios: Scenarios = {
  "addresses-nodes": [
    ...ranges.map((podCIDR) => node({ podCIDR, podCIDRs: [podCIDR] })),
    node({ podCIDRs: ["10.0.0.0/24", "2001:db8::/64"] }),
    node({ podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] }),
    node({ podCIDRs: ["10.0.0.0/24", "2001:db8::/64", "2001:db8:1::/64"] }),
    node({ podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24"] }),
    node({ podCIDR: "10.1.2.3/8" }),
    ...[
      { podCIDR: "10.0.0.0/24" },
      { podCIDRs: ["10.0.0.0/24"] },
      { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24", "2001:db8::/64"] },
    ].map((spec) => ({ ...node(spec), pick: ({ spec: { podCIDR, podCIDRs } }: any) => ({ podCIDR, podCIDRs }) })),
    POST("/api/v1/nodes", { metadata: { name: "addresses" } }, { pick: refusal }),
    PATCH(
      "/api/v1/nodes/addresses",
      merge,
      { spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] } },
      { pick: refusal },
    ),
    change("/api/v1/nodes/addresses", { spec: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.1.0/24"] } }),
    change("/api/v1/nodes/addresses", { spec: { podCIDRs: ["10.0.0.0/24", "2001:db8::/64"] } }),
    DELETE("/api/v1/nodes/addresses", { unrecorded: true }),
    ...addresses.map((address) => node({}, { addresses: [{ type: "InternalIP", address }] })),
  ],
};
