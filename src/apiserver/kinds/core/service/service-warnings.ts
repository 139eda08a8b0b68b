import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";

interface ServiceSpec {
  readonly type?: string;
  readonly externalName?: string;
  readonly externalIPs?: readonly string[];
  readonly clusterIP?: string;
  readonly loadBalancerIP?: string;
  readonly sessionAffinity?: string;
  readonly trafficDistribution?: string;
}

/** Returns warnings about fields of a service without an effect, and about those that others have replaced. */
export function serviceWarnings({ spec = {} }: UnstructuredObject): string[] {
  const { type, externalName, trafficDistribution } = spec as ServiceSpec;
  return [
    ...unusedFields(spec as ServiceSpec),
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
