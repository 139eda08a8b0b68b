import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { patch, post, refusal, services } from "../../../steps.ts";

const unallocated = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false };

/** Shows which ports of a service are those of nodes; one that is chosen at random is `true`. */
function portsOf(body: any): unknown {
  if (body.code !== undefined) return refusal(body);
  const { ports, healthCheckNodePort, allocateLoadBalancerNodePorts: allocates } = body.spec;
  const shown = ports.map(({ nodePort }: any) => (nodePort === 30_077 ? nodePort : nodePort !== undefined));
  return { allocates, ports: shown, hasHealthCheck: healthCheckNodePort !== undefined };
}

/** Creates or changes a service with the families of its addresses. */
const stacked = (request: string, spec: object): RequestStep => ({
  request: `${request}?dryRun=All`,
  headers: request.startsWith("PATCH") ? merge : {},
  body: { metadata: { name: request.split("/").at(-1) }, spec: { ports: [{ port: 80 }], ...spec } },
  pick: familiesOf,
});

function familiesOf(body: any): unknown {
  if (body.code !== undefined)
    return JSON.parse(JSON.stringify(refusal(body)).replaceAll(/10\.\d+\.\d+\.\d+/g, "10.0.0.7"));
  const { ipFamilies, ipFamilyPolicy, clusterIPs } = body.spec;
  return { ipFamilies, ipFamilyPolicy, isHeadless: clusterIPs[0] === "None", addresses: clusterIPs.length };
}

export const scenarios: Scenarios = {
  "service-balancer-ports": [
    post(services, "a", { ...unallocated, ports: [{ port: 80 }] }),
    patch(`${services}/a`, { spec: { allocateLoadBalancerNodePorts: true } }),
    patch(`${services}/a`, { spec: { allocateLoadBalancerNodePorts: false } }),
    post(services, "b", {
      ...unallocated,
      ports: [
        { port: 80, nodePort: 30_077 },
        { name: "b", port: 81 },
      ],
    }),
    post(services, "b", {
      ...unallocated,
      ports: [
        { name: "a", port: 80, nodePort: 30_077 },
        { name: "b", port: 81 },
      ],
    }),
    patch(`${services}/b`, { spec: { ports: [{ port: 81 }] } }),
    patch(`${services}/b`, { spec: { type: "NodePort", allocateLoadBalancerNodePorts: null } }),
    post(services, "c", { ...unallocated, externalTrafficPolicy: "Local", ports: [{ port: 80 }] }),
    post(services, "d", { ...unallocated, ports: [{ port: 80, nodePort: 99 }] }),
  ].map((step) => ({ ...step, pick: portsOf })),
  "service-families": [
    ...[
      { ipFamilyPolicy: "RequireDualStack" },
      { ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv6"] },
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "RequireDualStack" },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
      { ipFamilies: ["IPv4"], ipFamilyPolicy: "RequireDualStack" },
      { ipFamilies: ["IPv4"], ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
      { clusterIP: "10.0.0.7", ipFamilyPolicy: "RequireDualStack" },
    ].map((spec) => stacked(`POST ${services}`, spec)),
    ...[
      { ipFamilyPolicy: "RequireDualStack" },
      { ipFamilyPolicy: "PreferDualStack" },
      { ipFamilyPolicy: "SingleStack" },
      { ipFamilies: ["IPv6"] },
      { ipFamilies: ["IPv4"] },
      { ipFamilies: ["IPv4", "IPv6"] },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "RequireDualStack" },
      { ipFamilies: ["IPv6"], ipFamilyPolicy: "PreferDualStack" },
      { selector: { a: "b" } },
      { selector: { a: "b" }, ipFamilyPolicy: "RequireDualStack" },
      { selector: { a: "b" }, ipFamilyPolicy: "PreferDualStack" },
      { selector: { a: "b" }, ipFamilies: ["IPv6"] },
      { selector: { a: "b" }, ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
    ].map((spec) => stacked(`POST ${services}`, { clusterIP: "None", ...spec })),
    post(services, "a", { ports: [{ port: 80 }] }),
    ...[
      { ipFamilyPolicy: "RequireDualStack" },
      { ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" },
    ].map((spec) => stacked(`PATCH ${services}/a`, spec)),
    post(services, "b", { clusterIP: "None", ports: [{ port: 80 }] }),
    ...[
      { selector: { a: "b" } },
      { ipFamilyPolicy: "PreferDualStack" },
      { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
      { ipFamilies: ["IPv6", "IPv4"] },
    ].map((spec) => stacked(`PATCH ${services}/b`, spec)),
  ],
};
