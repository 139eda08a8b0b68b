import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, PATCH, POST, PUT } from "../../requests.ts";

const nodes = "/api/v1/nodes";
const shown = ({ code, message, details, spec, status }: any): unknown =>
  code === undefined ? { spec, status } : { code, causes: details?.causes ?? message };
const create = (spec: object, status: object = {}): RequestStep =>
  POST(`${nodes}?dryRun=All`, { metadata: { name: "{ns}" }, spec, status }, { pick: shown });
const change = (body: object, part = ""): RequestStep =>
  PATCH(`${nodes}/{ns}${part}?dryRun=All`, merge, body, { pick: shown });
const tell = (status: object): RequestStep => change({ status }, "/status");
const taint = { key: "a", effect: "NoSchedule" };
const unready = "node.kubernetes.io/not-ready";
const range = { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] };
const internal = { type: "InternalIP", address: "1.2.3.4" };
const source = { configMap: { name: "a", namespace: "b", kubeletConfigKey: "c" } };

/** Nodes as a kubelet registers them, and what may change. */
export const scenarios: Scenarios = {
  nodes: [
    ...[
      {},
      { podCIDR: "10.1.0.0/24" },
      { podCIDRs: ["10.1.0.0/24"] },
      { ...range, podCIDR: "10.2.0.0/24" },
      { podCIDR: "x" },
      { podCIDR: "010.1.0.0/24" },
      { podCIDRs: ["10.1.0.3/24"] },
      { podCIDRs: ["10.1.0.0/24", "10.2.0.0/24"] },
      { podCIDRs: ["10.1.0.0/24", "fd00::/64"] },
      { podCIDRs: ["10.1.0.0/24", "fd00::/64", "fd01::/64"] },
      { taints: [taint] },
      { taints: [{ key: "a b", value: "c d", effect: "NoSchedule" }] },
      { taints: [taint, { ...taint, value: "x" }] },
      { taints: [taint, { ...taint, effect: "NoExecute" }] },
      { taints: [{ key: unready, effect: "NoSchedule" }] },
      { taints: [{ key: unready, effect: "NoExecute" }] },
      { configSource: source },
      { unschedulable: true, providerID: "a", externalID: "x" },
    ].map((spec) => create(spec)),
    create({}, { capacity: { cpu: "-1", "a.b/c": "500m" } }),
    POST(
      nodes,
      { metadata: { name: "{ns}" }, spec: { taints: [taint] }, status: { capacity: { cpu: "4" } } },
      { pick: shown },
    ),
    ...[
      { taints: null },
      { taints: [{ key: "b", effect: "NoExecute" }] },
      { taints: [taint, taint] },
      range,
      { externalID: "x" },
      { configSource: source },
    ].map((spec) => change({ spec })),
    change({ status: { capacity: { cpu: "9" } } }),
    ...[
      { capacity: { cpu: "8", "nvidia.com/gpu": "1" } },
      { capacity: { cpu: "-1" } },
      { allocatable: { cpu: "500m", "a.b/c": "500m" } },
      { addresses: [internal, internal] },
      { addresses: [{ ...internal, address: "x" }, {}] },
      { conditions: [{ type: "Ready", status: "x" }] },
      { config: {} },
    ].map(tell),
    PATCH(`${nodes}/{ns}`, merge, { spec: { ...range, providerID: "p" } }, { pick: shown }),
    ...[
      { podCIDR: "10.2.0.0/24" },
      { podCIDRs: ["10.2.0.0/24"] },
      { podCIDR: "10.2.0.0/24", podCIDRs: ["10.2.0.0/24"] },
      { podCIDR: null },
      { podCIDR: null, podCIDRs: null },
      { podCIDRs: ["10.1.0.0/24", "fd00::/64"] },
      { providerID: "q" },
      { providerID: "" },
    ].map((spec) => change({ spec })),
    PUT(`${nodes}/{ns}?dryRun=All`, { metadata: { name: "{ns}" }, spec: {} }, { pick: shown }),
    DELETE(`${nodes}/{ns}`, { unrecorded: true }),
  ],
};
