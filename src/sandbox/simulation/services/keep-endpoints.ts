import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { EndpointsKind, type Service, type Pod } from "../context/simulated-kinds.ts";
import { groupByPorts, hostnameOf, podIp, podReference, serviceLabels, type EndpointGroup } from "./service-kinds.ts";

/** Keeps the Endpoints of a service, the older form of EndpointSlices. */
export async function keepEndpoints(client: Client, service: Service, pods: readonly Pod[]): Promise<void> {
  const { namespace, name = "" } = service.metadata;
  const live = await client.getOrUndefined(EndpointsKind, { namespace, name });
  const wanted = endpoints(service, pods);
  if (!live) {
    await client.create(EndpointsKind, wanted);
    return;
  }
  const { subsets: _, ...rest } = live;
  const next = { ...rest, ...wanted, metadata: { ...live.metadata, labels: wanted.metadata.labels ?? {} } };
  if (!equalJson(next, live)) await client.update(EndpointsKind, next);
}

/** Deletes the Endpoints of a service. They have no owner reference. */
export async function deleteEndpoints(client: Client, key: ObjectKey): Promise<void> {
  const live = await client.getOrUndefined(EndpointsKind, key);
  if (live?.metadata.labels?.[managedBy] !== controller) return;
  await client.delete(EndpointsKind, key).catch(ignoreNotFound);
}

const managedBy = "endpoints.kubernetes.io/managed-by";
const controller = "endpoint-controller";

function endpoints(service: Service, pods: readonly Pod[]): UnstructuredObject {
  const { name = "", namespace } = service.metadata;
  const staying = pods.filter((pod) => !isLeaving(pod) || service.spec.publishNotReadyAddresses);
  const groups = groupByPorts(service, staying).filter(({ ports }) => ports.length > 0 || !service.spec.ports);
  return {
    metadata: {
      name,
      ...(namespace && { namespace }),
      labels: { ...serviceLabels(service), [managedBy]: controller },
    },
    ...(groups.length > 0 && { subsets: groups.map((group) => subset(service, group)) }),
  };
}

function subset(service: Service, { ports, pods }: EndpointGroup): object {
  const isUp = (pod: Pod) => isReady(pod) || service.spec.publishNotReadyAddresses;
  const address = (pod: Pod) => {
    const hostname = hostnameOf(service, pod);
    return { ip: podIp(pod), ...(hostname && { hostname }), nodeName, targetRef: podReference(pod) };
  };
  const up = pods.filter(isUp).map(address);
  const down = pods.filter((pod) => !isUp(pod)).map(address);
  return {
    ...(up.length > 0 && { addresses: up }),
    ...(down.length > 0 && { notReadyAddresses: down }),
    ...(ports.length > 0 && { ports }),
  };
}
