import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, child, fill, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../../builtin-kind.ts";
import { listAt, mapAt, numberAt, textAt, textsAt } from "../../printing/field-access.ts";
import { labelText, printer } from "../../printing/printer.ts";
import { allocate } from "./service-addresses.ts";
import { checksHealth, isBalancer, loadBalancerAddresses, serviceErrors } from "./service-errors.ts";

/** Service. The server gives it a cluster IP and node ports. */
export const service: BuiltinKind = {
  createsOnUpdate: true,
  returnsDeleted: true,
  nameRule: "label",
  applyDefaults: defaultService,
  prepareCreate(service, context) {
    service["status"] = { loadBalancer: {} };
    settleAddress(service["spec"] as Fields, {});
    allocate(service, undefined, context);
  },
  prepareUpdate(service, old, context) {
    const [spec, oldSpec] = [service["spec"] as Fields, old["spec"] as Fields];
    keepAddresses(spec, oldSpec);
    settleAddress(spec, oldSpec);
    keepNodePorts(spec, oldSpec);
    dropFieldsOfType(spec, oldSpec);
    // A balancer's address is released with the type.
    if (spec["type"] !== "LoadBalancer") child(service, "status")["loadBalancer"] = {};
    allocate(service, old, context);
  },
  validate: serviceErrors,
  warn: ({ spec }) =>
    ["externalIPs", "loadBalancerIP"]
      .filter((field) => (spec as Fields)["clusterIP"] === "None" && (spec as Fields)[field])
      .map((field) => `spec.${field} is ignored for headless services`),
  seeds: () => [apiService],
  printer: printer("Type|Cluster-IP|External-IP|Port(s)|Age|Selector*", (object) => [
    textAt(object, "spec", "type"),
    textsAt(object, "spec", "clusterIPs")[0] ?? "<none>",
    externalIp(object),
    listAt(object, "spec", "ports").map(servicePort).join(",") || "<none>",
    labelText(mapAt(object, "spec", "selector")),
  ]),
};

/** The service of the API server. */
const apiService: UnstructuredObject = {
  kind: "Service",
  apiVersion: "v1",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    sessionAffinity: "None",
    type: "ClusterIP",
  },
  status: { loadBalancer: {} },
};

/** Sets the defaults of a service, apart from allocated addresses and ports. */
function defaultService(service: Fields): void {
  const spec = child(service, "spec");
  fill(spec, { sessionAffinity: "None", type: "ClusterIP" });
  if (spec["sessionAffinity"] === "ClientIP")
    fill(child(child(spec, "sessionAffinityConfig"), "clientIP"), { timeoutSeconds: 10800 });
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  for (const port of items(spec, "ports")) {
    fill(port, { protocol: "TCP" });
    if (port["targetPort"] === undefined || port["targetPort"] === 0 || port["targetPort"] === "")
      port["targetPort"] = port["port"];
  }
  if (isReachable(spec)) fill(spec, { externalTrafficPolicy: "Cluster" });
  if (spec["type"] !== "ExternalName") fill(spec, { internalTrafficPolicy: "Cluster" });
  if (!isBalancer(spec)) return;
  fill(spec, { allocateLoadBalancerNodePorts: true });
  const { loadBalancer } = (service["status"] ?? {}) as Fields;
  for (const entry of items((loadBalancer ?? {}) as Fields, "ingress")) if (entry["ip"]) fill(entry, { ipMode: "VIP" });
}

/** Reports whether clients outside of the cluster reach the service. */
function isReachable(spec: Fields): boolean {
  const { type } = spec;
  return type === "NodePort" || isBalancer(spec) || (type === "ClusterIP" && items(spec, "externalIPs").length > 0);
}

const addressFields = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"];

/** Keeps addresses that the client did not send. A service of type ExternalName has none. */
function keepAddresses(spec: Fields, oldSpec: Fields): void {
  if (spec["type"] !== "ExternalName") {
    if (spec["clusterIP"] === "") delete spec["clusterIP"];
    for (const field of addressFields)
      if (spec[field] === undefined && oldSpec[field] !== undefined) spec[field] = oldSpec[field];
    return;
  }
  if (oldSpec["type"] === "ExternalName") return;
  // Release the allocated values that the client has not changed.
  for (const field of [...addressFields, "internalTrafficPolicy"])
    if (JSON.stringify(spec[field]) === JSON.stringify(oldSpec[field])) delete spec[field];
}

/** Settles fields that depend on others: the list of addresses, and the fields that an ExternalName does not have. */
function settleAddress(spec: Fields, oldSpec: Fields): void {
  const { clusterIP, clusterIPs, type } = spec;
  if (type === "ExternalName") delete spec["internalTrafficPolicy"];
  const isKept = clusterIPs === undefined || equalJson(clusterIPs, oldSpec["clusterIPs"]);
  if (clusterIP && clusterIP !== oldSpec["clusterIP"] && isKept) spec["clusterIPs"] = [clusterIP];
}

function keepNodePorts(spec: Fields, oldSpec: Fields): void {
  if (checksHealth(spec) && checksHealth(oldSpec)) fill(spec, { healthCheckNodePort: oldSpec["healthCheckNodePort"] });
  const isNodePort = spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
  const key = (port: Fields): string => `${textOf(port["protocol"])}/${JSON.stringify(port["port"])}`;
  const known = new Map(items(oldSpec, "ports").map((port) => [key(port), port["nodePort"]]));
  const wasNodePort = oldSpec["type"] === "NodePort" || oldSpec["type"] === "LoadBalancer";
  for (const port of items(spec, "ports")) {
    const old = known.get(key(port));
    if (old === undefined) continue;
    if (isNodePort) port["nodePort"] ??= old;
    else if (wasNodePort && port["nodePort"] === old) delete port["nodePort"];
  }
}

/** Fields that only some services have. */
const fieldsOfTypes: Readonly<Record<string, (spec: Fields) => boolean>> = {
  // Before the policy, on which it depends.
  healthCheckNodePort: checksHealth,
  externalTrafficPolicy: isReachable,
  allocateLoadBalancerNodePorts: isBalancer,
  loadBalancerClass: isBalancer,
  sessionAffinityConfig: ({ sessionAffinity }) => sessionAffinity === "ClientIP",
};

/** Drops the fields that a service no longer has, unless the client changes them: then they are refused. */
function dropFieldsOfType(spec: Fields, oldSpec: Fields): void {
  for (const [field, has] of Object.entries(fieldsOfTypes))
    if (has(oldSpec) && !has(spec) && JSON.stringify(spec[field]) === JSON.stringify(oldSpec[field]))
      delete spec[field];
}

function externalIp(object: Fields): string {
  const given = textsAt(object, "spec", "externalIPs");
  switch (textAt(object, "spec", "type")) {
    case "LoadBalancer": {
      const addresses = loadBalancerAddresses(object);
      const all = addresses === "" ? given : [addresses, ...given];
      return all.join(",") || "<pending>";
    }
    case "ExternalName":
      return textAt(object, "spec", "externalName");
    default:
      return given.join(",") || "<none>";
  }
}

function servicePort(port: Fields): string {
  const nodePort = numberAt(port, "nodePort");
  const shown = nodePort > 0 ? `${numberAt(port, "port")}:${nodePort}` : String(numberAt(port, "port"));
  return `${shown}/${textAt(port, "protocol")}`;
}
