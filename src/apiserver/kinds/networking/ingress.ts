import { isIP } from "node:net";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { loadBalancerAddresses } from "../core/service/service.ts";
import { firstThree, printer } from "../printing/printer.ts";
import { balancerAddressErrors } from "../rules/balancer-addresses.ts";
import { desiredSpec } from "../rules/immutable.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  portNameErrors,
  portNumberErrors,
  wildcardErrors,
} from "../rules/name-errors.ts";

/** Ingress. */
export const ingress: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  prepareCreate: (ingress) => void (ingress["status"] = { loadBalancer: {} }),
  validate: (ingress, old, subresource) =>
    subresource === "status"
      ? balancerAddressErrors(ingress, old)
      : [...ingressErrors(ingress), ...(old ? [] : classErrors(ingress))],
  warn(ingress, old) {
    return old || ingress.metadata.annotations?.[classNote] === undefined
      ? []
      : [`annotation "${classNote}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  printer: printer("Class|Hosts|Address|Ports|Age", (object, now) => {
    const hosts = listAt(object, "spec", "rules").map((rule) => textAt(rule, "host"));
    return [
      textAt(object, "spec", "ingressClassName") || "<none>",
      firstThree(hosts.filter(Boolean)) || "*",
      loadBalancerAddresses(object),
      listAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
      creationAge(object, now),
    ];
  }),
};

/** The annotation that named the class before a field did. */
const classNote = "kubernetes.io/ingress.class";

function classErrors(ingress: UnstructuredObject): FieldError[] {
  const noted = ingress.metadata.annotations?.[classNote];
  const named = childIf(ingress, "spec")?.["ingressClassName"];
  if (noted === undefined || named === undefined || noted === named) return [];
  return [invalid(`annotations.${classNote}`, noted, "must match `ingressClassName` when both are specified")];
}

function ingressErrors(ingress: UnstructuredObject): FieldError[] {
  const spec = childIf(ingress, "spec") ?? {};
  const rules = items(spec, "rules");
  const { defaultBackend, ingressClassName } = spec as { defaultBackend?: Fields; ingressClassName?: string };
  return [
    ...(rules.length === 0 && !defaultBackend
      ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(defaultBackend ? backendErrors(defaultBackend, "spec.defaultBackend") : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...items(spec, "tls").flatMap((entry, index) => tlsErrors(entry, `spec.tls[${index}]`)),
    ...(ingressClassName === undefined ? [] : dnsSubdomainErrors("spec.ingressClassName", ingressClassName)),
  ];
}

function ruleErrors(rule: Fields, at: string): FieldError[] {
  const host = (rule["host"] ?? "") as string;
  const http = childIf(rule, "http");
  const paths = items(http, "paths");
  const missing = http && paths.length === 0 ? [required(`${at}.http.paths`)] : [];
  return [
    ...(host ? hostErrors(`${at}.host`, host) : []),
    // The schema reports a missing list.
    ...(Array.isArray(http?.["paths"]) ? missing : []),
    ...paths.flatMap((path, index) => pathErrors(path, `${at}.http.paths[${index}]`)),
  ];
}

function hostErrors(field: string, host: string): FieldError[] {
  return [
    ...(isIP(host) ? [invalid(field, host, "must be a DNS name, not an IP address")] : []),
    ...nameErrors(field, host),
  ];
}

function nameErrors(field: string, host: string): FieldError[] {
  return host.includes("*") ? wildcardErrors(field, host) : dnsSubdomainErrors(field, host);
}

function tlsErrors({ hosts = [], secretName = "" }: { hosts?: string[]; secretName?: string }, at: string) {
  return [
    ...hosts.flatMap((host, index) => nameErrors(`${at}.hosts[${index}]`, host)),
    ...(secretName ? dnsSubdomainErrors(`${at}.secretName`, secretName) : []),
  ];
}

function pathErrors(entry: Fields, at: string): FieldError[] {
  const { path = "", pathType } = entry as { path?: string; pathType?: string };
  const isExact = pathType === "Exact" || pathType === "Prefix";
  const isRelative = (isExact || path !== "") && !path.startsWith("/");
  // A path without a type is not checked further.
  if (!pathType) return [];
  const errors = isRelative ? [invalid(`${at}.path`, path, "must be an absolute path")] : [];
  return [...errors, ...backendErrors(childIf(entry, "backend") ?? {}, `${at}.backend`)];
}

function backendErrors(backend: Fields, at: string): FieldError[] {
  const [service, resource] = [childIf(backend, "service"), childIf(backend, "resource")];
  if (service && resource) return [invalid(at, "", "cannot set both resource and service backends")];
  if (resource) {
    const { apiGroup } = resource as { apiGroup?: string };
    return apiGroup === undefined ? [] : dnsSubdomainErrors(`${at}.resource.apiGroup`, apiGroup);
  }
  if (!service) return [invalid(at, "", "resource or service backend is required")];
  const { name = "" } = service as { name?: string };
  return [...(name ? dnsLabelErrors(`${at}.service.name`, name) : []), ...servicePortErrors(service, at)];
}

function servicePortErrors(service: Fields, at: string): FieldError[] {
  const { name = "", number = 0 } = (childIf(service, "port") ?? {}) as { name?: string; number?: number };
  if (name && number) return [invalid(at, "", "cannot set both port name & port number")];
  if (name) return portNameErrors(`${at}.service.port.name`, name);
  if (number) return portNumberErrors(`${at}.service.port.number`, number);
  return [required(at, "port name or number is required")];
}
