import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { controllerReference, controllerUid } from "../workloads/controlled-pods.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import {
  EndpointSliceKind,
  podIp,
  podReference,
  portsOf,
  ServiceKind,
  serviceLabels,
  type Service,
} from "./service-kinds.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Keeps the one EndpointSlice of a service. */
export async function keepEndpointSlice(client: Client, service: Service, pods: readonly Pod[]): Promise<void> {
  const { namespace, uid, name = "" } = service.metadata;
  const labels = { "kubernetes.io/service-name": name };
  const { items } = await client.list(EndpointSliceKind, { namespace, labels });
  const live = items.find((slice) => controllerUid(slice) === uid);
  const slice = endpointSlice(service, pods);
  if (!live) {
    await client.create(EndpointSliceKind, slice);
    return;
  }
  const next = { ...live, ...slice, metadata: { ...live.metadata, labels: slice.metadata.labels ?? {} } };
  if (!equalJson(next, live)) await client.update(EndpointSliceKind, next);
}

function endpointSlice(service: Service, pods: readonly Pod[]): UnstructuredObject {
  const { name = "", namespace } = service.metadata;
  const ports = portsOf(service, pods);
  return {
    metadata: {
      generateName: `${name}-`,
      ...(namespace && { namespace }),
      labels: {
        ...serviceLabels(service),
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": name,
      },
      ownerReferences: [controllerReference(ServiceKind, service)],
    },
    addressType: "IPv4",
    endpoints: pods.length > 0 ? pods.map((pod) => endpoint(service, pod)) : null,
    ports: pods.length > 0 && ports.length > 0 ? ports : null,
  };
}

function endpoint({ spec }: Service, pod: Pod): object {
  const terminating = isLeaving(pod);
  const ready = (isReady(pod) && !terminating) || (spec.publishNotReadyAddresses ?? false);
  return {
    addresses: [podIp(pod)],
    conditions: { ready, serving: isReady(pod), terminating },
    nodeName,
    targetRef: podReference(pod),
  };
}
