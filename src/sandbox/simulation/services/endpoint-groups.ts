import type { Pod } from "../context/simulated-kinds.ts";
import { portsOf, type EndpointPort, type Service } from "./service-kinds.ts";

/** Pods that serve a service on the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly pods: readonly Pod[];
}

/** Groups pods by their ports, which differ if the service names a port that has another number in some pods. */
export function groupByPorts(service: Service, pods: readonly Pod[]): EndpointGroup[] {
  const groups = new Map<string, { ports: EndpointPort[]; pods: Pod[] }>();
  for (const pod of pods) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    groups.set(key, group);
    group.pods.push(pod);
  }
  return [...groups.values()];
}
