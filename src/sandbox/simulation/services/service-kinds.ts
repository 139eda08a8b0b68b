import type { Service, Pod } from "../context/simulated-kinds.ts";
import { isSidecar } from "../context/restart-policy.ts";

/** Returns the labels of a service's endpoints: the labels of the service, and one if it is headless. */
export function serviceLabels({ metadata, spec }: Service): Record<string, string> {
  return { ...metadata.labels, ...(spec.clusterIP === "None" && { "service.kubernetes.io/headless": "" }) };
}

interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
}

/** Pods that serve a service on the same ports. */
export interface EndpointGroup {
  readonly ports: EndpointPort[];
  readonly pods: Pod[];
}

/** Groups pods by their ports, which differ if the service names a port that has another number in some pods. */
export function groupByPorts(service: Service, pods: readonly Pod[]): EndpointGroup[] {
  const groups = new Map<string, EndpointGroup>();
  for (const pod of pods) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    groups.set(key, group);
    group.pods.push(pod);
  }
  return [...groups.values()];
}

/** Returns the ports of a service that a pod has. A target port may be the name of a container port. */
function portsOf({ spec }: Service, pod: Pod): EndpointPort[] {
  return (spec.ports ?? []).flatMap(({ name = "", port: own, protocol = "TCP", targetPort = own }) => {
    const port = typeof targetPort === "number" ? targetPort : containerPort(pod, targetPort, protocol);
    return port === undefined ? [] : [{ name, port, protocol }];
  });
}

function containerPort({ spec }: Pod, wanted: string, wantedProtocol: string): number | undefined {
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const ports = [...spec.containers, ...sidecars].flatMap((container) => container.ports ?? []);
  return ports.find(({ name, protocol = "TCP" }) => name === wanted && protocol === wantedProtocol)?.containerPort;
}

/** Returns the host name by which a pod is found below a service, as in a StatefulSet. */
export function hostnameOf({ metadata }: Service, { spec }: Pod): string | undefined {
  return spec.subdomain === metadata.name ? spec.hostname : undefined;
}

export function podReference({ metadata: { name, namespace, uid } }: Pod): object {
  return { kind: "Pod", name, namespace, uid };
}

export function podIp(pod: Pod): string | undefined {
  return pod.status?.podIP;
}
