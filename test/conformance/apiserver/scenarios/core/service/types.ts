import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { core } from "../../../steps.ts";
import { PATCH, POST } from "../../../requests.ts";

const post = (path: string, spec: object, name = "a"): RequestStep => POST(path, { metadata: { name }, spec });
const balanced = {
  type: "LoadBalancer",
  externalTrafficPolicy: "Local",
  loadBalancerClass: "example.com/a",
  sessionAffinity: "ClientIP",
  ports: [{ port: 80 }],
};

/** A service's type decides which of its other fields stay. */
const typed = (spec: object): RequestStep => PATCH(`${core}/services/a`, merge, { spec }, { pick: withoutPorts });

/** Replaces the ports, which are random, with whether there are any. */
function withoutPorts({ spec, status, message }: any): unknown {
  if (message !== undefined) return message;
  const { clusterIP, clusterIPs, ports, healthCheckNodePort, ...rest } = spec;
  return {
    ...rest,
    hasAddress: clusterIP !== undefined && clusterIPs !== undefined,
    hasNodePort: ports[0].nodePort !== undefined,
    hasHealthCheck: healthCheckNodePort !== undefined,
    status,
  };
}

export const scenarios: Scenarios = {
  "service-types": [
    { ...post(`${core}/services`, balanced), pick: withoutPorts },
    PATCH(
      `${core}/services/a/status`,
      merge,
      { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
      { pick: withoutPorts },
    ),
    ...[{ type: "ClusterIP" }, balanced, { type: "NodePort" }, balanced].map(typed),
    // What the request changes stays, and is refused if it does not fit the type.
    typed({ type: "ClusterIP", allocateLoadBalancerNodePorts: false }),
    typed({ type: "ClusterIP", loadBalancerClass: "example.com/b" }),
    typed({ type: "ClusterIP", externalTrafficPolicy: "Cluster" }),
    typed({ type: "ClusterIP", healthCheckNodePort: 30999 }),
    typed({ externalTrafficPolicy: "Cluster", healthCheckNodePort: 30999 }),
    typed({ loadBalancerClass: "example.com/b" }),
    typed({ type: "ClusterIP", sessionAffinity: "None" }),
    typed(balanced),
    typed({ type: "ExternalName", externalName: "example.com" }),
  ],
};
