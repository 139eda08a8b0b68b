import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { PATCH, POST, PUT } from "../../../requests.ts";
import { services } from "../../../steps.ts";

/** Shows a service with addresses and ports that are chosen at random as such. */
const shown = ({ code, message, details, spec }: any): unknown =>
  JSON.parse(
    JSON.stringify(code === undefined ? spec : { code, causes: details?.causes ?? message })
      .replace(/10\.\d+\.\d+\.\d+/g, "<ip>")
      .replace(/"(nodePort|healthCheckNodePort)":3\d{4}/g, '"$1":"<port>"'),
  );

const create = (name: string, spec: object, dryRun = false): RequestStep =>
  POST(`${services}${dryRun ? "?dryRun=All" : ""}`, { metadata: { name }, spec }, { pick: shown });
const change = (name: string, spec: object): RequestStep =>
  PATCH(`${services}/${name}?dryRun=All`, merge, { spec }, { pick: shown });
const replace = (name: string, spec: object): RequestStep =>
  PUT(`${services}/${name}?dryRun=All`, { metadata: { name }, spec }, { pick: shown });
const ports = [{ port: 80 }];
const external = { type: "ExternalName", externalName: "a.b", ports: undefined };
const balanced = { type: "LoadBalancer" };
const local = { ...balanced, externalTrafficPolicy: "Local" };
const sticky = { sessionAffinity: "ClientIP" };
const timeout = (timeoutSeconds: number): object => ({ sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
const wished: readonly object[] = [
  {},
  { type: "x" },
  { type: "" },
  { ports: [] },
  { clusterIP: "None", ports: [] },
  { clusterIP: "None", type: "NodePort" },
  { clusterIP: "None", type: "LoadBalancer" },
  { externalName: "a.b" },
  { type: "ExternalName" },
  ...["A b", "a.b.", "a_b"].map((externalName) => ({ ...external, externalName })),
  external,
  { ...external, ports: [{ port: 80, nodePort: 30_077 }] },
  { ...external, clusterIP: "10.0.0.5" },
  { ...external, clusterIPs: ["None"] },
  { ...external, ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
  { ...external, ...sticky },
  { ...external, internalTrafficPolicy: "Local" },
  { ...external, externalTrafficPolicy: "Local" },
  { ...external, externalIPs: ["1.2.3.4"], loadBalancerIP: "1.2.3.4", selector: { a: "b" } },
  { ...external, trafficDistribution: "PreferClose" },
  { clusterIPs: ["None"] },
  { clusterIP: "None", clusterIPs: ["None"] },
  { clusterIP: "none" },
  { clusterIP: "fd00::1" },
  { clusterIP: "", clusterIPs: [""] },
  { clusterIP: "10.0.0.7", clusterIPs: ["10.0.0.8"] },
  { ipFamilies: [] },
  { ipFamilyPolicy: "x" },
  { internalTrafficPolicy: "x" },
  { internalTrafficPolicy: "Local" },
  { externalTrafficPolicy: "Local" },
  { externalTrafficPolicy: "x", type: "NodePort" },
  { externalTrafficPolicy: "Cluster", externalIPs: ["1.2.3.4"] },
  { sessionAffinity: "x" },
  sticky,
  { ...sticky, sessionAffinityConfig: {} },
  { ...sticky, ...timeout(0) },
  { ...sticky, ...timeout(86_401) },
  timeout(5),
  { sessionAffinity: "None", ...timeout(5) },
  ...["x", "", "PreferSameNode"].map((trafficDistribution) => ({ trafficDistribution })),
  { loadBalancerClass: "a.b/c" },
  ...["a.b/c", "a b", ""].map((loadBalancerClass) => ({ ...balanced, loadBalancerClass })),
  { allocateLoadBalancerNodePorts: true },
  { healthCheckNodePort: 30_001 },
  { ...balanced, healthCheckNodePort: 30_001 },
  ...[5, -1].map((healthCheckNodePort) => ({ ...local, healthCheckNodePort })),
  { ...balanced, loadBalancerIP: "x" },
  ...[
    { port: 0 },
    { port: 80, protocol: "x" },
    { port: 80, protocol: "" },
    { port: 80, targetPort: "A_b" },
    { port: 80, targetPort: 70_000 },
    { port: 80, nodePort: 30_001 },
    { port: 80, appProtocol: "A b" },
  ].map((port) => ({ ports: [port] })),
  {
    ports: [
      { port: 80, name: "a" },
      { port: 80, name: "b" },
    ],
  },
];
const made: Readonly<Record<string, object>> = {
  cluster: { selector: { a: "b" } },
  headless: { clusterIP: "None", selector: { a: "b" } },
  external,
  node: { type: "NodePort" },
  balanced: { ...balanced, loadBalancerClass: "a.b/c" },
  local,
  sticky: { ...sticky, externalIPs: ["1.2.3.4"], externalTrafficPolicy: "Local" },
};
const changes: readonly object[] = [
  { type: "ClusterIP" },
  { type: "NodePort" },
  { type: "LoadBalancer" },
  { type: "ExternalName", externalName: "a.b" },
  { type: "ExternalName", externalName: "a.b", clusterIP: "", clusterIPs: null, ports: null },
  { type: "ClusterIP", clusterIP: "None", ports },
  { clusterIP: null, clusterIPs: null },
  { clusterIP: "10.0.0.250" },
  { clusterIPs: ["10.0.0.250"] },
  { clusterIPs: [] },
  { ports: [{ port: 81 }] },
  { internalTrafficPolicy: "Local" },
  { externalTrafficPolicy: null },
  { externalTrafficPolicy: "Cluster" },
  { sessionAffinity: "None" },
  { sessionAffinity: "None", ...timeout(5) },
  { sessionAffinityConfig: null },
  { loadBalancerClass: "d.e/f" },
  { loadBalancerClass: null },
  { healthCheckNodePort: 30_009 },
  { healthCheckNodePort: null },
  { externalIPs: null },
  { ports: [{ port: 80, nodePort: 30_044 }] },
  { ports: [{ port: 80, protocol: "UDP" }] },
];
const replacements: readonly object[] = [
  { ports },
  { type: "NodePort", ports },
  { ...local, ports },
  { type: "ExternalName", externalName: "c.d" },
  { clusterIP: "None", ports },
];

/** Services of all types, and what they become. */
export const scenarios: Scenarios = {
  "services-wished": wished.map((spec) => create("a", { ports, ...spec }, true)),
  "services-changed": Object.entries(made).flatMap(([name, spec]) => [
    create(name, { ports, ...spec }),
    ...changes.map((each) => change(name, each)),
    ...replacements.map((each) => replace(name, each)),
  ]),
};
