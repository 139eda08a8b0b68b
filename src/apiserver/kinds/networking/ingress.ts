import { isIP } from "node:net";
import { type Fields, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { loadBalancerAddresses } from "../core/service/service-errors.ts";
import { firstThree, printer } from "../printing/printer.ts";
import { desiredSpec, kindRules } from "../rules/immutable.ts";
import { fieldRules, format, must, required, text, type Rows, enumOf, ifParent } from "../rules/field-rules.ts";
import {
  dnsSubdomainErrors,
  portNameErrors,
  portNumberErrors,
  wildcardErrors,
  domainPathErrors,
} from "../rules/name-errors.ts";

/** Ingress. */
export const ingress: BuiltinKind = {
  generationOf: desiredSpec,
  prepareCreate: (ingress) => void (ingress["status"] = { loadBalancer: {} }),
  validate: (ingress, old) => [...ingressErrors(ingress), ...(old ? [] : classErrors(ingress))],
  printer: printer("Class|Hosts|Address|Ports|Age", (object) => {
    const hosts = listAt(object, "spec", "rules").map((rule) => textAt(rule, "host"));
    return [
      textAt(object, "spec", "ingressClassName") || "<none>",
      firstThree(hosts.filter(Boolean)) || "*",
      loadBalancerAddresses(object),
      listAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
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

const hostName = text((at, host) => (host.includes("*") ? wildcardErrors(at, host) : dnsSubdomainErrors(at, host)));

const backend: Rows = {
  ".": (backend, at) => {
    const [service, resource] = [childIf(backend as Fields, "service"), childIf(backend as Fields, "resource")];
    if (service && resource) return [invalid(at, "", "cannot set both resource and service backends")];
    if (service) return portErrors(childIf(service, "port") ?? {}, at);
    return resource ? [] : [invalid(at, "", "resource or service backend is required")];
  },
  "resource.apiGroup": format("k8s-long-name"),
  "service.name": format("k8s-short-name"),
  "service.port.name": text(portNameErrors),
};

const ingressErrors = fieldRules({
  spec: [
    must(
      ({ rules, defaultBackend }: Fields) => defaultBackend !== undefined || (Array.isArray(rules) && rules.length > 0),
      "either `defaultBackend` or `rules` must be specified",
    ),
    {
      ingressClassName: (name, at) => (typeof name === "string" ? dnsSubdomainErrors(at, name) : []),
      defaultBackend: backend,
      "rules[].host": [must((host: string) => isIP(host) === 0, "must be a DNS name, not an IP address"), hostName],
      "rules[].http.paths": required(),
      // A path without a type is not checked further.
      "rules[].http.paths[]": (path, at) => ((path as Fields)["pathType"] ? pathErrors(path as Fields, at) : []),
      "tls[].hosts[]": hostName,
      "tls[].secretName": format("k8s-long-name"),
    },
  ],
});

const pathErrors = fieldRules({
  ".": (entry, at) => {
    const { path = "", pathType } = entry as { path?: string; pathType?: string };
    const isNeeded = pathType === "Exact" || pathType === "Prefix" || path !== "";
    return isNeeded && !path.startsWith("/") ? [invalid(`${at}.path`, path, "must be an absolute path")] : [];
  },
  backend,
});

function portErrors({ name, number }: Fields, at: string): FieldError[] {
  if (name && number) return [invalid(at, "", "cannot set both port name & port number")];
  if (name) return [];
  return number
    ? portNumberErrors(`${at}.service.port.number`, number)
    : [missing(at, "port name or number is required")];
}

/** IngressClass. */
export const ingressClass: BuiltinKind = {
  generationOf: desiredSpec,
  applyDefaults(ingressClass) {
    const parameters = childIf(childIf(ingressClass, "spec"), "parameters");
    if (parameters) fill(parameters, { scope: "Cluster" });
  },
  validate: kindRules(
    {
      spec: {
        controller: [required(), text(domainPathErrors)],
        "parameters.scope": enumOf("Cluster", "Namespace"),
        "parameters.namespace": [
          ifParent(({ scope }) => scope === "Namespace", required()),
          must((namespace: string, { scope }) => namespace === "" || scope !== "Cluster", "is not for `Cluster`"),
        ],
      },
    },
    "spec.controller",
  ),
  printer: printer("Controller|Parameters|Age", (object) => {
    const parameters = valueAt(object, "spec", "parameters");
    const group = textAt(parameters, "apiGroup");
    const kind = textAt(parameters, "kind") + (group === "" ? "" : `.${group}`);
    const shown = parameters === undefined ? "<none>" : `${kind}/${textAt(parameters, "name")}`;
    return [textAt(object, "spec", "controller"), shown];
  }),
};
