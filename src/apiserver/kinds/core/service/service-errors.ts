import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, duplicate, invalid, required as missing } from "../../../../apimachinery/field-error.ts";
import { rangeErrors, targetErrors } from "../../rules/address-errors.ts";
import {
  anyText,
  enumOf,
  type FieldRule,
  fieldRules,
  format,
  ifParent,
  maximum,
  minimum,
  must,
  required,
  text,
} from "../../rules/field-rules.ts";
import { immutable } from "../../rules/immutable.ts";
import { labels } from "../../rules/label-selector-errors.ts";
import { dnsSubdomainErrors, labelKeyErrors, portErrors } from "../../rules/name-errors.ts";
import { listAt, textAt } from "../../printing/field-access.ts";

const isExternalName = ({ type }: Fields): boolean => type === "ExternalName";
const onlyBalancers = must((_value, spec) => isBalancer(spec), "may only be used when `type` is 'LoadBalancer'");
const port = [minimum(1), maximum(65_535)];

/** Checks that no two ports have the same number and protocol, or the same name, and that each of several has a name. */
const portList: FieldRule = (list, at) => {
  const [ports, seen] = [list as Fields[], new Set<string>()];
  const isAgain = (...key: unknown[]): boolean => seen.size === seen.add(JSON.stringify(key)).size;
  return ports.flatMap(({ name, protocol, port: number }, index) => [
    ...(isAgain(protocol, number) ? [duplicate(`${at}[${index}]`, number)] : []),
    ...(name && isAgain(name) ? [duplicate(`${at}[${index}].name`, name)] : []),
    ...(!name && ports.length > 1 ? [missing(`${at}[${index}].name`)] : []),
  ]);
};

const specErrors = fieldRules({
  ports: [
    ifParent((spec) => spec["clusterIP"] !== "None" && !isExternalName(spec), required()),
    ifParent((spec) => items(spec, "ports").length > 0, portList),
  ],
  "ports[]": {
    name: format("k8s-short-name"),
    port,
    targetPort: [required(), portErrors],
    appProtocol: anyText(labelKeyErrors),
    nodePort: must(
      (number: number, _port, { type }) => number === 0 || type !== "ClusterIP",
      "may not be used when `type` is 'ClusterIP'",
    ),
  },
  selector: labels,
  externalTrafficPolicy: must(
    (_policy, spec) => spec["type"] === "NodePort" || isBalancer(spec) || items(spec, "externalIPs").length > 0,
    "may only be set for externally-accessible services",
  ),
  "(clusterIPs|ipFamilies|ipFamilyPolicy)": must(
    (_value, spec) => !isExternalName(spec),
    "may not be set for ExternalName services",
  ),
  externalName: ifParent(
    isExternalName,
    required(),
    text((at, name) => dnsSubdomainErrors(at, name.replace(/\.$/, ""))),
  ),
  allocateLoadBalancerNodePorts: onlyBalancers,
  loadBalancerClass: [onlyBalancers, anyText(labelKeyErrors)],
  healthCheckNodePort: ifParent(
    ({ healthCheckNodePort: number }) => number !== 0,
    must((_port, spec) => checksHealth(spec), "may only be set for a balancer with `externalTrafficPolicy` 'Local'"),
    ...port,
  ),
  // Kubernetes writes the name of Go's field.
  loadBalancerSourceRanges: (ranges, _at, spec) => {
    const [field, given] = ["spec.LoadBalancerSourceRanges", (ranges ?? []) as string[]];
    if (given.length > 0 && !isBalancer(spec))
      return [invalid(field, given, "may only be used when `type` is 'LoadBalancer'")];
    return given.flatMap((range, index) => rangeErrors(`${field}[${index}]`, range.trim()));
  },
  "externalIPs[]": anyText(targetErrors),
  "sessionAffinityConfig.clientIP.timeoutSeconds": [minimum(1), maximum(86_400)],
  trafficDistribution: enumOf("PreferClose", "PreferSameZone", "PreferSameNode"),
});

/** Returns the errors of a service with its addresses. */
export function serviceErrors(service: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(service, "spec") ?? {};
  const { clusterIP, clusterIPs, type } = spec;
  const ofName = isExternalName(spec) && clusterIP && clusterIPs === undefined;
  return [
    ...specErrors(spec, "spec"),
    ...(ofName ? [invalid("spec.clusterIPs", [clusterIP], "may not be set for ExternalName services")] : []),
    ...(clusterIP === "None" && (type === "NodePort" || isBalancer(spec))
      ? [invalid("spec.clusterIPs[0]", clusterIP, "may not be 'None' for this type")]
      : []),
    ...(old ? changeErrors(service, old) : []),
  ];
}

function changeErrors(service: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [childIf(service, "spec") ?? {}, childIf(old, "spec") ?? {}];
  const both = (is: (spec: Fields) => boolean): boolean => is(spec) && is(before);
  const isMoved = before["clusterIP"] && spec["clusterIP"] !== before["clusterIP"];
  return [
    ...(isMoved && both((each) => !isExternalName(each))
      ? [invalid("spec.clusterIPs[0]", spec["clusterIP"], "may not change once set")]
      : []),
    ...immutable(service, old, [
      ...(both(isBalancer) ? ["spec.loadBalancerClass"] : []),
      ...(both(checksHealth) ? ["spec.healthCheckNodePort"] : []),
    ]),
  ];
}

/** Reports whether a load balancer stands before the service. */
export const isBalancer = ({ type }: Fields): boolean => type === "LoadBalancer";

/** Reports whether the balancer asks each node whether it has pods of the service. */
export const checksHealth = (spec: Fields): boolean => isBalancer(spec) && spec["externalTrafficPolicy"] === "Local";

/** Returns the addresses of a load balancer, as a column shows them. */
export function loadBalancerAddresses(object: Fields): string {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  const addresses = ingress.map((entry) => textAt(entry, "ip") || textAt(entry, "hostname"));
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}
