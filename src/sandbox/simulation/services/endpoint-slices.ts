import type { Client } from "../../../client/client.ts";
import { controllerReference } from "../workloads/controlled-pods.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { groupByPorts, type EndpointGroup } from "./endpoint-groups.ts";
import { keepSlices, type SliceGroup } from "./keep-slices.ts";
import type { Endpoint } from "./pack-endpoints.ts";
import { hostnameOf, podIp, podReference, ServiceKind, serviceLabels, type Service } from "./service-kinds.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Keeps the EndpointSlices of a service, for each set of ports. */
export async function keepEndpointSlices(client: Client, service: Service, pods: readonly Pod[]): Promise<void> {
  const groups = groupByPorts(service, pods);
  const served = groups.length > 0 ? groups : [{ ports: [], pods: [] }];
  await keepSlices(client, service.metadata, {
    manager: "endpointslice-controller.k8s.io",
    groups: served.map((group) => sliceGroup(service, group)),
    most: 100,
  });
}

function sliceGroup(service: Service, { ports, pods }: EndpointGroup): SliceGroup {
  return {
    labels: serviceLabels(service),
    ownerReferences: [controllerReference(ServiceKind, service)],
    addressType: "IPv4",
    endpoints: pods.map((pod) => endpoint(service, pod)),
    ports: ports.length > 0 ? ports : null,
  };
}

function endpoint(service: Service, pod: Pod): Endpoint {
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
