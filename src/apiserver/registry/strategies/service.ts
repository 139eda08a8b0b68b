import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { invalid, required } from "../../../apimachinery/schema/field-error.ts";
import { defaultService } from "../defaults/network-defaults.ts";
import { items, type Fields } from "../defaults/fields.ts";
import type { Strategy, StrategyContext } from "../strategy.ts";

/** Services get their cluster IP and node ports from the server. */
export const serviceStrategy: Strategy = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultService,
  prepareCreate(service, context) {
    service["status"] = { loadBalancer: {} };
    allocate(service, context);
  },
  prepareUpdate(service, old, context) {
    const [spec, oldSpec] = [service["spec"] as Fields, old["spec"] as Fields];
    if (spec["type"] !== "ExternalName")
      for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"])
        if (spec[field] === undefined && oldSpec[field] !== undefined) spec[field] = oldSpec[field];
    keepNodePorts(spec, oldSpec);
    allocate(service, context);
  },
  validate: (service, old) => [...portErrors(service), ...validateClusterIp(service, old)],
};

const services = { group: "", plural: "services" };
const firstNodePort = 30000;
const nodePorts = 2768;

function allocate(service: UnstructuredObject, context: StrategyContext): void {
  const spec = service["spec"] as Fields;
  if (spec["type"] === "ExternalName") return;
  const used = new Set<unknown>();
  for (const other of context.list(services)) used.add((other["spec"] as Fields)["clusterIP"]);
  spec["clusterIP"] ||= freeAddress(used, context.random);
  spec["clusterIPs"] ??= [spec["clusterIP"]];
  spec["ipFamilies"] ??= ["IPv4"];
  spec["ipFamilyPolicy"] ??= "SingleStack";
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer") allocateNodePorts(spec, context);
}

/** Somewhere in 10.96.0.0/16, as in a cluster made by kubeadm. */
function freeAddress(used: ReadonlySet<unknown>, random: () => number): string {
  for (;;) {
    const address = `10.96.${Math.floor(random() * 256)}.${1 + Math.floor(random() * 254)}`;
    if (!used.has(address)) return address;
  }
}

function allocateNodePorts(spec: Fields, context: StrategyContext): void {
  const used = new Set<unknown>();
  for (const other of context.list(services))
    for (const port of items(other["spec"] as Fields, "ports")) used.add(port["nodePort"]);
  for (const port of items(spec, "ports")) {
    while (!port["nodePort"]) {
      const candidate = firstNodePort + Math.floor(context.random() * nodePorts);
      if (!used.has(candidate)) port["nodePort"] = candidate;
    }
    used.add(port["nodePort"]);
  }
}

/** A client that does not know the ports keeps them. */
function keepNodePorts(spec: Fields, oldSpec: Fields): void {
  if (spec["type"] !== "NodePort" && spec["type"] !== "LoadBalancer") return;
  const key = (port: Fields): string => `${String(port["protocol"])}/${String(port["port"])}`;
  const known = new Map(items(oldSpec, "ports").map((port) => [key(port), port["nodePort"]]));
  for (const port of items(spec, "ports")) {
    const old = known.get(key(port));
    if (old !== undefined) port["nodePort"] ??= old;
  }
}

function portErrors(service: UnstructuredObject): StatusCause[] {
  const spec = service["spec"] as Fields;
  const ports = items(spec, "ports");
  if (ports.length === 0 && spec["clusterIP"] !== "None" && spec["type"] !== "ExternalName")
    return [required("spec.ports")];
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    const missing = ports.length > 1 && !port["name"] ? [required(`${at}.name`)] : [];
    return [...missing, ...["port", "targetPort"].flatMap((name) => numberErrors(`${at}.${name}`, port[name]))];
  });
}

function numberErrors(field: string, value: unknown): StatusCause[] {
  if (typeof value !== "number" || (value >= 1 && value <= 65535)) return [];
  return [invalid(field, value, "must be between 1 and 65535, inclusive")];
}

function validateClusterIp(service: UnstructuredObject, old: UnstructuredObject | undefined): StatusCause[] {
  const [spec, oldSpec] = [service["spec"] as Fields, old?.["spec"] as Fields | undefined];
  const [now, before] = [spec["clusterIP"], oldSpec?.["clusterIP"]];
  if (!before || now === before || spec["type"] === "ExternalName" || oldSpec?.["type"] === "ExternalName") return [];
  return [
    {
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify([now])}: may not change once set`,
      field: "spec.clusterIPs[0]",
    },
  ];
}
