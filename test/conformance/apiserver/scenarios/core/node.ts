import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, PATCH, POST, PUT } from "../../requests.ts";

const nodes = "/api/v1/nodes";
const shown = ({ code, message, details, spec, status }: any): unknown =>
  code === undefined ? { spec, status } : { code, causes: details?.causes ?? message };
const create = (spec: object, status: object = {}): RequestStep =>
  POST(`${nodes}?dryRun=All`, { metadata: { name: "{ns}" }, spec, status }, { pick: shown });
const change = (body: object): RequestStep => PATCH(`${nodes}/{ns}?dryRun=All`, merge, body, { pick: shown });
const taint = { key: "a", effect: "NoSchedule" };
const unready = "node.kubernetes.io/not-ready";
const range = { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] };

/** Nodes as a kubelet registers them, and what may change. */
export const scenarios: Scenarios = {
  nodes: [
    ...[
      {},
      { podCIDR: "10.1.0.0/24" },
      { podCIDRs: ["10.1.0.0/24"] },
      { ...range, podCIDR: "10.2.0.0/24" },
      { podCIDRs: ["10.1.0.0/24", "fd00::/64"] },
      { taints: [taint] },
      { taints: [{ key: "a b", value: "c d", effect: "NoSchedule" }] },
      { taints: [taint, { ...taint, value: "x" }] },
      { taints: [taint, { ...taint, effect: "NoExecute" }] },
      { taints: [{ key: unready, effect: "NoSchedule" }] },
      { taints: [{ key: unready, effect: "NoExecute" }] },
      { unschedulable: true, providerID: "a", externalID: "x" },
    ].map((spec) => create(spec)),
    POST(
      nodes,
      { metadata: { name: "{ns}" }, spec: { taints: [taint] }, status: { capacity: { cpu: "4" } } },
      { pick: shown },
    ),
    ...[{ taints: null }, { taints: [{ key: "b", effect: "NoExecute" }] }, { taints: [taint, taint] }, range].map(
      (spec) => change({ spec }),
    ),
    change({ status: { capacity: { cpu: "9" } } }),
    PUT(`${nodes}/{ns}?dryRun=All`, { metadata: { name: "{ns}" }, spec: {} }, { pick: shown }),
    DELETE(`${nodes}/{ns}`, { unrecorded: true }),
  ],
};
