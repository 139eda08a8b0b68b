import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ignoreAlreadyExists } from "../../../client/ignore-not-found.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { nodeAddress } from "../pods/register-node.ts";
import { EndpointsKind, EndpointSliceKind } from "../context/simulated-kinds.ts";

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
