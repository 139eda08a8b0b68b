import type { Condition, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Discovery } from "./extension-server.ts";
import type { ApiServiceSpec } from "../kinds/apiregistration/api-service.ts";

type Service = NonNullable<ApiServiceSpec["service"]>;

/** The objects that decide whether an APIService is available. */
export interface ServiceObjects {
  service(namespace: string, name: string): UnstructuredObject | undefined;
  /** Returns the EndpointSlices of a service. */
  slices(namespace: string, name: string): readonly UnstructuredObject[];
}

/**
 * Returns the condition of an APIService with a service. Only an external name can be reached here: `discovery` is what
 * its server answered, and without an answer there is no condition yet.
 */
export function availabilityOf(
  service: Service,
  { group, version }: ApiServiceSpec,
  objects: ServiceObjects,
  discovery?: Discovery,
): Pick<Condition, "type" | "status" | "reason" | "message"> | undefined {
  const { namespace, name, port } = service;
  const unavailable = (reason: string, message: string) =>
    ({ type: "Available", status: "False", reason, message }) as const;
  const found = objects.service(namespace, name);
  if (!found) return unavailable("ServiceNotFound", `service/${name} in "${namespace}" is not present`);
  if (externalOrigin(found, port)) {
    if (discovery && "problem" in discovery) return unavailable("FailedDiscoveryCheck", discovery.problem);
    return discovery && { type: "Available", status: "True", reason: "Passed", message: "all checks passed" };
  }
  const ports = (found["spec"] as { ports?: { port: number; name?: string }[] }).ports ?? [];
  const matching = ports.find((each) => each.port === port);
  if (!matching)
    return unavailable("ServicePortError", `service/${name} in "${namespace}" is not listening on port ${port}`);
  const slices = objects.slices(namespace, name) as readonly Slice[];
  if (slices.length === 0)
    return unavailable("EndpointsNotFound", `cannot find endpointslices for service/${name} in "${namespace}"`);
  const portName = matching.name ?? "";
  const hasAddress = slices.some(
    ({ endpoints, ports: served }) =>
      endpoints?.some(({ addresses }) => addresses.length > 0) &&
      served?.some((each) => (each.name ?? "") === portName),
  );
  if (!hasAddress) {
    const where = `endpointslices for service/${name} in "${namespace}"`;
    return unavailable("MissingEndpoints", `${where} have no addresses with port name "${portName}"`);
  }
  const url = `https://${name}.${namespace}.svc:${port}/apis/${group}/${version}`;
  return unavailable(
    "FailedDiscoveryCheck",
    `failing or missing response from ${url}: services are not reachable from this server`,
  );
}

/** Returns the origin of a service that is the name of another host. */
export function externalOrigin(service: UnstructuredObject | undefined, port: number): string | undefined {
  const { type, externalName } = (service?.["spec"] ?? {}) as { type?: string; externalName?: string };
  const origin = `https://${externalName}:${port}`;
  return type === "ExternalName" && URL.canParse(origin) ? origin : undefined;
}

interface Slice extends UnstructuredObject {
  endpoints?: { addresses: string[] }[];
  ports?: { name?: string }[];
}
