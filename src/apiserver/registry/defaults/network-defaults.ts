import { child, fill, items, type Fields } from "../../../apimachinery/fields.ts";

/** A service's defaults, but for what the allocators give it. */
export function defaultService(service: Fields): void {
  const spec = child(service, "spec");
  fill(spec, { sessionAffinity: "None", type: "ClusterIP" });
  if (spec["sessionAffinity"] === "ClientIP")
    fill(child(child(spec, "sessionAffinityConfig"), "clientIP"), { timeoutSeconds: 10800 });
  for (const port of items(spec, "ports")) {
    fill(port, { protocol: "TCP" });
    if (port["targetPort"] === undefined || port["targetPort"] === 0 || port["targetPort"] === "")
      port["targetPort"] = port["port"];
  }
  const type = spec["type"];
  const isReachable = items(spec, "externalIPs").length > 0 && type === "ClusterIP";
  if (type === "NodePort" || type === "LoadBalancer" || isReachable) fill(spec, { externalTrafficPolicy: "Cluster" });
  if (type !== "ExternalName") fill(spec, { internalTrafficPolicy: "Cluster" });
  if (type === "LoadBalancer") fill(spec, { allocateLoadBalancerNodePorts: true });
}

export function defaultEndpointSlice(slice: Fields): void {
  for (const port of items(slice, "ports")) fill(port, { name: "", protocol: "TCP" });
  for (const endpoint of items(slice, "endpoints")) child(endpoint, "conditions");
  // Go always writes both.
  for (const list of ["endpoints", "ports"]) if (slice[list] === undefined) slice[list] = null;
}

export function defaultEndpoints(endpoints: Fields): void {
  for (const subset of items(endpoints, "subsets"))
    for (const port of items(subset, "ports")) fill(port, { protocol: "TCP" });
}

export function defaultNetworkPolicy(policy: Fields): void {
  const spec = child(policy, "spec");
  const rules = [...items(spec, "ingress"), ...items(spec, "egress")];
  for (const rule of rules) for (const port of items(rule, "ports")) fill(port, { protocol: "TCP" });
  fill(spec, { policyTypes: items(spec, "egress").length ? ["Ingress", "Egress"] : ["Ingress"] });
}
