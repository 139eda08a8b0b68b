import type { Condition, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ApiServiceSpec } from "../kinds/apiregistration/api-service.ts";
import type { Discovery } from "./extension-server.ts";

/**
 * Returns the condition of an APIService with a service. Only an external name can be reached here: `discovery` is what
 * its server answered, and without an answer there is no condition yet.
 */
export function availabilityOf(
  { group, version, service: { namespace, name, port } }: ApiServiceSpec & Required<Pick<ApiServiceSpec, "service">>,
  service: UnstructuredObject | undefined,
  discovery?: Discovery,
): Pick<Condition, "type" | "status" | "reason" | "message"> | undefined {
  const unavailable = (reason: string, message: string) =>
    ({ type: "Available", status: "False", reason, message }) as const;
  if (!service) return unavailable("ServiceNotFound", `service/${name} in "${namespace}" is not present`);
  const url = `https://${name}.${namespace}.svc:${port}/apis/${group}/${version}`;
  const why = `failing or missing response from ${url}: services are not reachable from this server`;
  if (!externalOrigin(service, port)) return unavailable("FailedDiscoveryCheck", why);
  if (discovery && "problem" in discovery) return unavailable("FailedDiscoveryCheck", discovery.problem);
  return discovery && { type: "Available", status: "True", reason: "Passed", message: "all checks passed" };
}

/** Returns the origin of a service that is the name of another host. */
export function externalOrigin(service: UnstructuredObject | undefined, port: number): string | undefined {
  const { type, externalName } = (service?.["spec"] ?? {}) as { type?: string; externalName?: string };
  const origin = `https://${externalName}:${port}`;
  return type === "ExternalName" && URL.canParse(origin) ? origin : undefined;
}
