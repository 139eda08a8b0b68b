import type { Client } from "../../../client/client.ts";
import { controllerReference } from "../workloads/controlled-pods.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { groupByPorts, type EndpointGroup } from "./endpoint-groups.ts";
import { keepSlices, type Slice } from "./keep-slices.ts";
import { hostnameOf, podIp, podReference, ServiceKind, serviceLabels, type Service } from "./service-kinds.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Keeps the EndpointSlices of a service: one for each set of ports. */
export async function keepEndpointSlices(client: Client, service: Service, pods: readonly Pod[]): Promise<void> {
  const groups = groupByPorts(service, pods);
  const slices = groups.length > 0 ? groups : [{ ports: [], pods: [] }];
  await keepSlices(client, service.metadata, {
    manager: "endpointslice-controller.k8s.io",
    slices: slices.map((group) => endpointSlice(service, group)),
  });
}

function endpointSlice(service: Service, { ports, pods }: EndpointGroup): Slice {
  return {
    labels: serviceLabels(service),
    ownerReferences: [controllerReference(ServiceKind, service)],
    addressType: "IPv4",
    endpoints: pods.length > 0 ? pods.map((pod) => endpoint(service, pod)) : null,
    ports: ports.length > 0 ? ports : null,
  };
}

function endpoint(service: Service, pod: Pod): object {
  const { spec } = service;
  const hostname = hostnameOf(service, pod);
  const terminating = isLeaving(pod);
  const ready = (isReady(pod) && !terminating) || (spec.publishNotReadyAddresses ?? false);
  return {
    addresses: [podIp(pod)],
    conditions: { ready, serving: isReady(pod), terminating },
    ...(hostname && { hostname }),
    nodeName,
    targetRef: podReference(pod),
  };
}
