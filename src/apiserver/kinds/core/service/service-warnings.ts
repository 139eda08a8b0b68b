import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { addressWarnings, rangeWarnings } from "../../rules/address-warnings.ts";

interface ServiceSpec {
  readonly type?: string;
  readonly externalName?: string;
  readonly externalIPs?: readonly string[];
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly sessionAffinity?: string;
  readonly trafficDistribution?: string;
}

const formerHints = "service.kubernetes.io/topology-aware-hints";

/** Returns warnings about fields of a service without an effect, and about those that others have replaced. */
export function serviceWarnings({ metadata, spec = {} }: UnstructuredObject): string[] {
  const { type, externalName, trafficDistribution } = spec as ServiceSpec;
  return [
    ...(metadata.annotations?.[formerHints] === undefined
      ? []
      : [`annotation ${formerHints} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...unusedFields(spec as ServiceSpec),
    ...networkWarnings(spec as ServiceSpec),
    ...(externalName && type !== "ExternalName"
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(trafficDistribution === "PreferClose"
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function unusedFields({ type, clusterIP, externalIPs = [], loadBalancerIP, sessionAffinity }: ServiceSpec): string[] {
  const hasExternal = externalIPs.length > 0;
  if (type === "ExternalName")
    return hasExternal ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
  if (clusterIP !== "None")
    return hasExternal ? ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"] : [];
  const unused = [
    ...(loadBalancerIP ? ["loadBalancerIP"] : []),
    ...(hasExternal ? ["externalIPs"] : []),
    ...(sessionAffinity && sessionAffinity !== "None" ? ["SessionAffinity"] : []),
  ];
  return unused.map((field) => `spec.${field} is ignored for headless services`);
}

function networkWarnings(spec: ServiceSpec): string[] {
  const { type, clusterIPs = [], externalIPs = [], loadBalancerIP, loadBalancerSourceRanges: ranges = [] } = spec;
  if (type === "ExternalName") return [];
  return [
    ...clusterIPs.flatMap((address, index) => addressWarnings(`spec.clusterIPs[${index}]`, address)),
    ...externalIPs.flatMap((address, index) => addressWarnings(`spec.externalIPs[${index}]`, address)),
    ...(loadBalancerIP ? addressWarnings("spec.loadBalancerIP", loadBalancerIP) : []),
    ...ranges.flatMap((range, index) => rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range.trim())),
  ];
}
