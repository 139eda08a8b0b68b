import type { ObjectKey, OwnerReference, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { controllerReference } from "../workloads/controlled-pods.ts";
import { enqueueForOwner } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import type { Client } from "../../../client/client.ts";
import { keepSlices, type SliceGroup } from "./keep-slices.ts";
import type { Endpoint } from "./pack-endpoints.ts";
import { EndpointsKind, EndpointSliceKind, ServiceKind } from "./service-kinds.ts";

/** Mirrors the Endpoints that a user writes for a service without a selector to EndpointSlices. */
export function runMirrors(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:endpointslicemirroring-controller");
  return runController(context, {
    sources: [
      watch(context, EndpointsKind),
      watch(context, ServiceKind),
      watch(context, EndpointSliceKind, enqueueForOwner(EndpointsKind)),
    ],
    step: (key) => stepMirror(client, key),
  });
}

async function stepMirror(client: Client, key: ObjectKey): Promise<void> {
  const endpoints = await client.getOrUndefined(EndpointsKind, key);
  const service = endpoints && (await client.getOrUndefined(ServiceKind, key));
  const isMirrored = service && !service.spec.selector && isMirrorable(endpoints);
  const groups = isMirrored ? mirrorsOf(endpoints) : [];
  await keepSlices(client, key, { manager: "endpointslicemirroring-controller.k8s.io", groups, most: 1_000 });
}

/** Reports whether Endpoints are those of a service, and not a lock of the leader election. */
function isMirrorable({ metadata: { labels = {}, annotations = {} } }: UnstructuredObject): boolean {
  const isSkipped = labels["endpointslice.kubernetes.io/skip-mirror"] === "true";
  return !isSkipped && !("control-plane.alpha.kubernetes.io/leader" in annotations);
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly object[];
}

interface Address {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: object;
}

/** Returns a slice for each set of ports and each family of addresses. */
function mirrorsOf(endpoints: UnstructuredObject): SliceGroup[] {
  const {
    "endpoints.kubernetes.io/last-change-trigger-time": _time,
    [lastApplied]: _applied,
    ...annotations
  } = endpoints.metadata.annotations ?? {};
  const owner: OwnerReference = controllerReference(EndpointsKind, endpoints);
  const metadata = { labels: endpoints.metadata.labels ?? {}, annotations, ownerReferences: [owner] };
  const groups = new Map<string, { ports: readonly object[]; addressType: string; endpoints: Map<string, Endpoint> }>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of (endpoints["subsets"] ?? []) as Subset[]) {
    for (const [address, ready] of [...notReadyAddresses.map(unready), ...addresses.map(readied)]) {
      const addressType = address.ip.includes(":") ? "IPv6" : "IPv4";
      const key = JSON.stringify([addressType, ports]);
      const named = ports.map((port) => ({ name: "", ...port }));
      const group = groups.get(key) ?? { ports: named, addressType, endpoints: new Map() };
      groups.set(key, group);
      const { ip, ...rest } = address;
      group.endpoints.set(ip, { addresses: [ip], conditions: { ready }, ...rest });
    }
  }
  return [...groups.values()].map((group) => ({ ...metadata, ...group, endpoints: [...group.endpoints.values()] }));
}

function readied(address: Address): [Address, boolean] {
  return [address, true];
}

function unready(address: Address): [Address, boolean] {
  return [address, false];
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
