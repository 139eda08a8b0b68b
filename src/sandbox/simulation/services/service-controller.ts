import type { DeepReadonly, KubeObject, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { keepEndpointSlices, deleteEndpoints, keepEndpoints, podIp } from "./endpoint-slices.ts";
import { isFinished } from "../pods/pod-state.ts";
import { EndpointsKind, EndpointSliceKind, ServiceKind, type Service, PodKind } from "../context/simulated-kinds.ts";
import { enqueueForOwner } from "../../../runtime/controller/handlers.ts";
import { enqueueBeside, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { ignoreAlreadyExists } from "../../../client/ignore-not-found.ts";
import { nodeAddress } from "../pods/register-node.ts";

/** Keeps the endpoints of services, and assigns addresses to load balancers. */
export function runServices(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:endpointslice-controller");
  const selecting = enqueueBeside(context, ServiceKind, selects);
  return runController(context, {
    sources: [
      watch(context, ServiceKind),
      watch(context, PodKind, selecting),
      // Those that somebody deletes come back.
      watch(context, EndpointsKind),
      watch(context, EndpointSliceKind, enqueueForOwner(ServiceKind)),
    ],
    step: async (key) => {
      const service = await client.getOrUndefined(ServiceKind, key);
      await (service ? stepService(client, service) : deleteEndpoints(client, key));
    },
  });
}

function selects({ metadata, spec }: DeepReadonly<Service>, pod: KubeObject): boolean {
  if (!spec.selector || metadata.namespace !== pod.metadata.namespace) return false;
  return Object.entries(spec.selector).every(([name, value]) => pod.metadata.labels?.[name] === value);
}

async function stepService(client: Client, service: Service): Promise<void> {
  await assignAddress(client, service);
  const { selector, type } = service.spec;
  if (!selector || type === "ExternalName" || service.metadata.deletionTimestamp) return;
  const all = (await client.list(PodKind, { namespace: service.metadata.namespace })).items;
  const pods = all.filter((pod) => selects(service, pod) && podIp(pod) !== undefined && !isFinished(pod));
  await keepEndpointSlices(client, service, pods);
  await keepEndpoints(client, service, pods);
}

async function assignAddress(client: Client, service: Service): Promise<void> {
  const has = Object.keys(service.status?.loadBalancer ?? {}).length > 0;
  if (has || service.spec.type !== "LoadBalancer") return;
  const number = 2 + (Number.parseInt(service.metadata.uid?.slice(0, 2) ?? "0", 16) % 250);
  const status = { ...service.status, loadBalancer: { ingress: [{ ip: `172.18.255.${number}`, ipMode: "VIP" }] } };
  await client.status.update(ServiceKind, { ...service, status });
}

/** Creates the endpoints of the API server's service, which the server of a cluster writes itself. */
export async function publishApiServer({ clientFor }: SimulationContext): Promise<void> {
  const client = clientFor("system:apiserver");
  await client.create(EndpointsKind, endpoints).catch(ignoreAlreadyExists);
  await client.create(EndpointSliceKind, slice).catch(ignoreAlreadyExists);
}

const service = { name: "kubernetes", namespace: "default" };
const ports = [{ name: "https", port: 6443, protocol: "TCP" }];

const endpoints: UnstructuredObject = {
  metadata: { ...service, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
  subsets: [{ addresses: [{ ip: nodeAddress }], ports }],
};

const slice: UnstructuredObject = {
  metadata: { ...service, labels: { "kubernetes.io/service-name": service.name } },
  addressType: "IPv4",
  endpoints: [{ addresses: [nodeAddress], conditions: { ready: true } }],
  ports,
};
