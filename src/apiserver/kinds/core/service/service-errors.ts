import { type Fields, childIf, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, duplicate, forbidden, invalid, required } from "../../../../apimachinery/field-error.ts";
import { addressErrors, reachErrors } from "../../rules/address-errors.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelKeyErrors,
  labelsErrors,
  portNameErrors,
  portNumberErrors,
} from "../../rules/name-errors.ts";
import { optionalWordErrors } from "../../rules/value-errors.ts";
import { isBalancer } from "./is-balancer.ts";
import { sourceRangeErrors } from "./source-range-errors.ts";

/** Returns the errors of a service with its addresses. */
export function serviceErrors(service: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = (service["spec"] ?? {}) as Fields;
  const before = childIf(old, "spec");
  return [
    ...portErrors(spec),
    ...labelsErrors("spec.selector", childIf(spec, "selector") as Record<string, string> | undefined),
    ...policyErrors(spec),
    ...balancerErrors(spec),
    ...clusterAddressErrors(spec, before),
    ...clientErrors(spec),
    ...sourceRangeErrors(service, old),
    ...changeErrors(spec, before),
  ];
}

function portErrors(spec: Fields): FieldError[] {
  const ports = items(spec, "ports");
  const { clusterIP, type } = spec;
  if (ports.length === 0 && clusterIP !== "None" && type !== "ExternalName") return [required("spec.ports")];
  const names = new Set<unknown>();
  const ends = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    const errors = [...nameErrors(port, { at, names, alone: ports.length === 1 }), ...endErrors(port, at)];
    if (port["nodePort"] && type === "ClusterIP")
      errors.push(forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const { protocol, port: number } = port;
    const key = `${textOf(protocol)}/${JSON.stringify(number)}`;
    // A real server shows these fields only.
    const shown = { Name: "", Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
    if (ends.has(key)) errors.push(duplicate(at, shown));
    ends.add(key);
    return errors;
  });
}

interface Naming {
  readonly at: string;
  readonly names: Set<unknown>;
  readonly alone: boolean;
}

function nameErrors({ name }: Fields, { at, names, alone }: Naming): FieldError[] {
  if (!name) return alone ? [] : [required(`${at}.name`)];
  const isAgain = names.has(name);
  names.add(name);
  return [...dnsLabelErrors(`${at}.name`, textOf(name)), ...(isAgain ? [duplicate(`${at}.name`, name)] : [])];
}

function endErrors({ port, targetPort, appProtocol }: Fields, at: string): FieldError[] {
  return [
    // A missing number is a zero in Go.
    ...portNumberErrors(`${at}.port`, port ?? 0),
    ...(typeof targetPort === "string"
      ? portNameErrors(`${at}.targetPort`, targetPort)
      : portNumberErrors(`${at}.targetPort`, targetPort ?? 0)),
    ...(typeof appProtocol === "string" ? labelKeyErrors(`${at}.appProtocol`, appProtocol) : []),
  ];
}

const trafficPolicies = ["Cluster", "Local"];

function policyErrors(spec: Fields): FieldError[] {
  const { type, externalTrafficPolicy: external, internalTrafficPolicy: internal } = spec;
  const isExternal = type === "NodePort" || type === "LoadBalancer" || ((spec["externalIPs"] ?? []) as []).length > 0;
  return [
    ...(external === undefined || isExternal
      ? optionalWordErrors("spec.externalTrafficPolicy", external, trafficPolicies)
      : [invalid("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services")]),
    ...optionalWordErrors("spec.internalTrafficPolicy", internal, trafficPolicies),
    ...(type === "ExternalName" ? externalNameErrors(spec) : []),
  ];
}

/** Reports whether the balancer asks each node whether it has pods of the service. */
export const checksHealth = (spec: Fields): boolean => isBalancer(spec) && spec["externalTrafficPolicy"] === "Local";

function balancerErrors(spec: Fields): FieldError[] {
  const { healthCheckNodePort: port } = spec;
  const onlyLocal = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...(spec["allocateLoadBalancerNodePorts"] === undefined || isBalancer(spec)
      ? []
      : [forbidden("spec.allocateLoadBalancerNodePorts", onlyBalancers)]),
    ...classErrors(spec),
    ...(port && !checksHealth(spec) ? [invalid("spec.healthCheckNodePort", port, onlyLocal)] : []),
    ...(port && checksHealth(spec) ? portNumberErrors("spec.healthCheckNodePort", port) : []),
  ];
}

const onlyBalancers = "may only be used when `type` is 'LoadBalancer'";

function classErrors(spec: Fields): FieldError[] {
  const [field, name] = ["spec.loadBalancerClass", spec["loadBalancerClass"]];
  if (name === undefined) return [];
  return isBalancer(spec) ? labelKeyErrors(field, textOf(name)) : [forbidden(field, onlyBalancers)];
}

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Checks for how long a client reaches the same pod, and which one. */
function clientErrors(spec: Fields): FieldError[] {
  const seconds = childIf(childIf(spec, "sessionAffinityConfig"), "clientIP")?.["timeoutSeconds"];
  const isTooLong = typeof seconds === "number" && (seconds <= 0 || seconds > 86_400);
  const timeout = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [
    ...(isTooLong ? [invalid(timeout, seconds, "must be greater than 0 and less than 86400")] : []),
    ...optionalWordErrors("spec.trafficDistribution", spec["trafficDistribution"], distributions),
  ];
}

function externalNameErrors(spec: Fields): FieldError[] {
  const { externalName: name, clusterIP, clusterIPs = clusterIP || undefined, ipFamilies, ipFamilyPolicy } = spec;
  const foreign = Object.entries({ clusterIPs, ipFamilies, ipFamilyPolicy }).filter(([, value]) => value !== undefined);
  return [
    ...foreign.map(([field]) => forbidden(`spec.${field}`, "may not be set for ExternalName services")),
    ...(name
      ? dnsSubdomainErrors("spec.externalName", textOf(name).replace(/\.$/, ""))
      : [required("spec.externalName")]),
  ];
}

function clusterAddressErrors(spec: Fields, before: Fields | undefined): FieldError[] {
  const { clusterIP, type } = spec;
  const [externalIPs, known] = [spec, before].map((each) => (each?.["externalIPs"] ?? []) as string[]);
  const needsAddress = type === "NodePort" || type === "LoadBalancer";
  return [
    ...(clusterIP === "None" && needsAddress
      ? [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)]
      : []),
    ...externalIPs!.flatMap((address, index) => externalErrors(`spec.externalIPs[${index}]`, address, known!)),
  ];
}

function externalErrors(field: string, address: string, known: readonly string[]): FieldError[] {
  const errors = addressErrors(field, address, known);
  return errors.length > 0 ? errors : reachErrors(field, address);
}

function changeErrors(spec: Fields, oldSpec: Fields | undefined): FieldError[] {
  if (!oldSpec) return [];
  const [now, before] = [spec["clusterIP"], oldSpec["clusterIP"]];
  const keepsAddress = spec["type"] !== "ExternalName" && oldSpec["type"] !== "ExternalName";
  const [nowClass, classBefore] = [spec["loadBalancerClass"], oldSpec["loadBalancerClass"]];
  const keepsClass = isBalancer(spec) && isBalancer(oldSpec);
  const keepsPort = checksHealth(spec) && checksHealth(oldSpec);
  const fixed = "may not change once set";
  return [
    ...(before && now !== before && keepsAddress ? [invalid("spec.clusterIPs[0]", [now], fixed)] : []),
    ...(keepsClass && nowClass !== classBefore ? [invalid("spec.loadBalancerClass", nowClass ?? null, fixed)] : []),
    // A real server checks the class of an update twice.
    ...classErrors(spec),
    ...(keepsPort && spec["healthCheckNodePort"] !== oldSpec["healthCheckNodePort"]
      ? [forbidden("spec.healthCheckNodePort", "field is immutable")]
      : []),
  ];
}
