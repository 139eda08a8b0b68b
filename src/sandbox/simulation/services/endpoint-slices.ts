import { equalJson } from "../../../apimachinery/equal.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { controllerReference } from "../workloads/controlled-pods.ts";
import { nodeName } from "../pods/register-node.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { EndpointSliceKind, ServiceKind, type Service, type Pod } from "../context/simulated-kinds.ts";
import { groupByPorts, hostnameOf, podIp, podReference, serviceLabels } from "./service-kinds.ts";

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
