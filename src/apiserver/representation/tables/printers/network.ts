import { type Fields, listAt, mapAt, numberAt, textAt, textsAt, valueAt } from "../field-access.ts";
import { creationAge } from "../human-duration.ts";
import { labelSelectorText, labelText } from "../label-text.ts";
import { printer, type Printer } from "../printer.ts";
import { firstThree } from "../first-three.ts";

const service = printer("Type|Cluster-IP|External-IP|Port(s)|Age|Selector*", (object, now) => [
  textAt(object, "spec", "type"),
  textsAt(object, "spec", "clusterIPs")[0] ?? "<none>",
  externalIp(object),
  listAt(object, "spec", "ports").map(servicePort).join(",") || "<none>",
  creationAge(object, now),
  labelText(mapAt(object, "spec", "selector")),
]);

const endpoints = printer("Endpoints|Age", (object, now) => {
  const all = listAt(object, "subsets").flatMap((subset) => {
    const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
    const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
  });
  return [firstThree(all) || "<none>", creationAge(object, now)];
});

const endpointSlice = printer("AddressType|Ports|Endpoints|Age", (object, now) => [
  textAt(object, "addressType"),
  firstThree(listAt(object, "ports").map((port) => textAt(port, "port") || textAt(port, "name") || "*")) || "<unset>",
  firstThree(listAt(object, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses"))) || "<unset>",
  creationAge(object, now),
]);

const ingress = printer("Class|Hosts|Address|Ports|Age", (object, now) => [
  textAt(object, "spec", "ingressClassName") || "<none>",
  firstThree(
    listAt(object, "spec", "rules")
      .map((rule) => textAt(rule, "host"))
      .filter(Boolean),
  ) || "*",
  loadBalancerAddresses(object),
  listAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
  creationAge(object, now),
]);

const ingressClass = printer("Controller|Parameters|Age", (object, now) => {
  const parameters = valueAt(object, "spec", "parameters");
  const group = textAt(parameters, "apiGroup");
  const kind = textAt(parameters, "kind") + (group === "" ? "" : `.${group}`);
  const shown = parameters === undefined ? "<none>" : `${kind}/${textAt(parameters, "name")}`;
  return [textAt(object, "spec", "controller"), shown, creationAge(object, now)];
});

const networkPolicy = printer("Pod-Selector|Age", (object, now) => [
  labelSelectorText(valueAt(object, "spec", "podSelector")),
  creationAge(object, now),
]);

const serviceCidr = printer("CIDRs|Age", (object, now) => [
  textsAt(object, "spec", "cidrs").join(","),
  creationAge(object, now),
]);

/** A real server sends the age too, in a cell that has no column. */
const ipAddress = printer("ParentRef", (object, now) => {
  const parent = valueAt(object, "spec", "parentRef");
  const parts = ["group", "resource", "namespace", "name"].map((field) => textAt(parent, field));
  return [parts.filter((part) => part !== "").join("/"), creationAge(object, now)];
});

/** Services and what leads to them, by group and kind. */
export const networkPrinters: Readonly<Record<string, Printer>> = {
  "/Service": service,
  "/Endpoints": endpoints,
  "discovery.k8s.io/EndpointSlice": endpointSlice,
  "networking.k8s.io/Ingress": ingress,
  "networking.k8s.io/IngressClass": ingressClass,
  "networking.k8s.io/NetworkPolicy": networkPolicy,
  "networking.k8s.io/ServiceCIDR": serviceCidr,
  "networking.k8s.io/IPAddress": ipAddress,
};

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

function loadBalancerAddresses(object: Fields): string {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  const addresses = ingress.map((entry) => textAt(entry, "ip") || textAt(entry, "hostname"));
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
