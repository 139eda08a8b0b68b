import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { IntOrString, KubeObject, ObjectKey, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { controllerReference } from "./controlled-pods.ts";
import { nodeName } from "./node.ts";
import { isFinished, isReady } from "./replica-set-plan.ts";
import { runKindController, reactionDelay, type SimulationContext } from "./simulation-context.ts";
import { PodKind, type Pod } from "./simulated-kinds.ts";

interface Service extends KubeObject {
  spec: {
    type?: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
    selector?: Record<string, string>;
    publishNotReadyAddresses?: boolean;
    ports?: ServicePort[];
  };
  status?: { loadBalancer?: object };
}

interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: IntOrString;
}

export const ServiceKind: Kind<Service> = defineKind({
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  subresources: ["status"],
});

const EndpointsKind: Kind<UnstructuredObject> = defineKind({
  group: "",
  version: "v1",
  kind: "Endpoints",
  plural: "endpoints",
});

const EndpointSliceKind: Kind<UnstructuredObject> = defineKind({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
});

/** Tells which pods are behind each service, and gives load balancers an address. */
export function runServices(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:endpointslice-controller");
  const services = new Map<string, Service>();
  return runKindController(context, client, {
    kind: ServiceKind,
    delay: () => reactionDelay(context),
    step: async (key) => {
      const name = `${key.namespace}/${key.name}`;
      const service = await client.getOrUndefined(ServiceKind, key);
      if (service) services.set(name, service);
      else services.delete(name);
      if (service) await stepService(client, service);
    },
    triggers: [
      {
        kind: PodKind,
        keysOf: (pod) => [...services].filter(([, service]) => selects(service, pod)).map(([name]) => name),
      },
    ],
  });
}

function selects({ metadata, spec }: Service, pod: KubeObject): boolean {
  if (!spec.selector || metadata.namespace !== pod.metadata.namespace) return false;
  return Object.entries(spec.selector).every(([name, value]) => pod.metadata.labels?.[name] === value);
}

async function stepService(client: Client, service: Service): Promise<void> {
  await giveAddress(client, service);
  if (!service.spec.selector || service.metadata.deletionTimestamp) return;
  const all = (await client.list(PodKind, { namespace: service.metadata.namespace })).items;
  const pods = all.filter((pod) => selects(service, pod) && podIp(pod) !== undefined && !isFinished(pod));
  await put(client, EndpointSliceKind, endpointSlice(service, pods));
  await put(client, EndpointsKind, endpoints(service, pods));
}

async function giveAddress(client: Client, service: Service): Promise<void> {
  const has = Object.keys(service.status?.loadBalancer ?? {}).length > 0;
  if (has || service.spec.type !== "LoadBalancer") return;
  const number = 2 + (Number.parseInt(service.metadata.uid?.slice(0, 2) ?? "0", 16) % 250);
  const status = { ...service.status, loadBalancer: { ingress: [{ ip: `172.18.255.${number}`, ipMode: "VIP" }] } };
  await client.status.update(ServiceKind, { ...service, status });
}

function endpointSlice(service: Service, pods: readonly Pod[]): UnstructuredObject {
  const { name = "", namespace } = service.metadata;
  const endpoints = pods.map((pod) => {
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    const ready = (isReady(pod) && !terminating) || (service.spec.publishNotReadyAddresses ?? false);
    return {
      addresses: [podIp(pod)],
      conditions: { ready, serving: isReady(pod), terminating },
      nodeName,
      targetRef: podReference(pod),
    };
  });
  return {
    metadata: {
      // One slice holds all: the name need not be generated, and stays.
      name: `${name}-slice`,
      ...(namespace && { namespace }),
      labels: {
        ...service.metadata.labels,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": name,
      },
      ownerReferences: [controllerReference(ServiceKind, service)],
    },
    addressType: "IPv4",
    endpoints,
    ports: portsOf(service, pods),
  };
}

function endpoints(service: Service, pods: readonly Pod[]): UnstructuredObject {
  const { name = "", namespace, labels } = service.metadata;
  const address = (pod: Pod) => ({ ip: podIp(pod), nodeName, targetRef: podReference(pod) });
  const isUp = (pod: Pod) => !pod.metadata.deletionTimestamp && (isReady(pod) || service.spec.publishNotReadyAddresses);
  const up = pods.filter(isUp).map(address);
  const down = pods.filter((pod) => !isUp(pod) && !pod.metadata.deletionTimestamp).map(address);
  const subset = {
    ...(up.length > 0 && { addresses: up }),
    ...(down.length > 0 && { notReadyAddresses: down }),
    ports: portsOf(service, pods),
  };
  return {
    metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }) },
    subsets: up.length + down.length > 0 ? [subset] : [],
  };
}

/** A target port may be the name of a container's port. */
function portsOf({ spec }: Service, [pod]: readonly Pod[]): object[] {
  return (spec.ports ?? []).map(({ name, port, protocol = "TCP", targetPort = port }) => {
    const number = typeof targetPort === "number" ? targetPort : containerPort(pod, targetPort);
    return { name: name ?? "", ...(number !== undefined && { port: number }), protocol };
  });
}

function containerPort(pod: Pod | undefined, wanted: string): number | undefined {
  const ports = (pod?.spec.containers ?? []).flatMap(
    (container) => (container["ports"] ?? []) as { name?: string; containerPort: number }[],
  );
  return ports.find(({ name }) => name === wanted)?.containerPort;
}

function podReference({ metadata: { name, namespace, uid } }: Pod): object {
  return { kind: "Pod", name, namespace, uid };
}

function podIp(pod: Pod): string | undefined {
  return pod.status?.["podIP"] as string | undefined;
}

/** Creates or replaces an object when it says something else. */
async function put(client: Client, kind: Kind<UnstructuredObject>, object: UnstructuredObject): Promise<void> {
  const { namespace, name = "" } = object.metadata;
  const key: ObjectKey = { namespace, name };
  const live = await client.getOrUndefined(kind, key);
  if (!live) {
    await client.create(kind, object);
    return;
  }
  const next = { ...live, ...object, metadata: { ...live.metadata, ...object.metadata } };
  if (!equalJson(next, live)) await client.update(kind, next);
}
