import { equalJson } from "../../../apimachinery/equal.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { controllerReference } from "../workloads/controlled-pods.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { EndpointSliceKind, ServiceKind, type Service, type Pod, EndpointsKind } from "../context/simulated-kinds.ts";
import type { ObjectKey, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { isSidecar } from "../context/restart-policy.ts";

/** The number of endpoints that a slice can have. */
const most = 100;

/** Keeps the EndpointSlices of a service: for each set of ports as many as its pods need. A slice keeps its ports. */
export async function keepEndpointSlices(client: Client, service: Service, pods: readonly Pod[]): Promise<void> {
  const { namespace, name = "" } = service.metadata;
  const identity = {
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    "kubernetes.io/service-name": name,
  };
  const { items } = await client.list(EndpointSliceKind, { namespace, labels: identity });
  const left = new Set(items);
  const metadata = {
    labels: { ...serviceLabels(service), ...identity },
    ownerReferences: [controllerReference(ServiceKind, service)],
  };
  for (const content of slicesOf(service, pods)) {
    const live = [...left].find((each) => equalJson(each["ports"], content.ports)) ?? [...left][0];
    if (!live) {
      const own = { generateName: `${name}-`, ...(namespace && { namespace }), ...metadata };
      await client.create(EndpointSliceKind, { metadata: own, ...content });
      continue;
    }
    left.delete(live);
    const next = { ...live, ...content, metadata: { ...live.metadata, ...metadata } };
    if (!equalJson(next, live)) await client.update(EndpointSliceKind, next);
  }
  for (const { metadata } of left)
    await client.delete(EndpointSliceKind, { namespace, name: metadata.name }).catch(ignoreNotFound);
}

function slicesOf(service: Service, pods: readonly Pod[]): { ports: object[] | null; endpoints: object[] | null }[] {
  const groups = groupByPorts(service, pods);
  const served = groups.length > 0 ? groups : [{ ports: [], pods: [] }];
  return served.flatMap(({ ports, pods }) =>
    Array.from({ length: Math.max(1, Math.ceil(pods.length / most)) }, (_, index) => {
      const endpoints = pods.slice(index * most, (index + 1) * most).map((pod) => endpoint(service, pod));
      return {
        addressType: "IPv4",
        endpoints: endpoints.length > 0 ? endpoints : null,
        ports: ports.length > 0 ? ports : null,
      };
    }),
  );
}

function endpoint(service: Service, pod: Pod): object {
  const hostname = hostnameOf(service, pod);
  const terminating = isLeaving(pod);
  const ready = (isReady(pod) && !terminating) || (service.spec.publishNotReadyAddresses ?? false);
  return {
    addresses: [podIp(pod)],
    conditions: { ready, serving: isReady(pod), terminating },
    ...(hostname && { hostname }),
    nodeName,
    targetRef: podReference(pod),
  };
}

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

/** Returns the labels of a service's endpoints: the labels of the service, and one if it is headless. */
function serviceLabels({ metadata, spec }: Service): Record<string, string> {
  return { ...metadata.labels, ...(spec.clusterIP === "None" && { "service.kubernetes.io/headless": "" }) };
}

interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
}

/** Pods that serve a service on the same ports. */
interface EndpointGroup {
  readonly ports: EndpointPort[];
  readonly pods: Pod[];
}

/** Groups pods by their ports, which differ if the service names a port that has another number in some pods. */
function groupByPorts(service: Service, pods: readonly Pod[]): EndpointGroup[] {
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
function hostnameOf({ metadata }: Service, { spec }: Pod): string | undefined {
  return spec.subdomain === metadata.name ? spec.hostname : undefined;
}

function podReference({ metadata: { name, namespace, uid } }: Pod): object {
  return { kind: "Pod", name, namespace, uid };
}

export function podIp(pod: Pod): string | undefined {
  return pod.status?.podIP;
}
