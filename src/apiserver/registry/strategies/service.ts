import { isIP } from "node:net";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { invalid, required, forbidden as forbiddenField } from "../../../apimachinery/schema/field-error.ts";
import { defaultService } from "../defaults/network-defaults.ts";
import { invalid as invalidObject } from "../../refusals.ts";
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
  validate: (service, old) => [...portErrors(service), ...ipErrors(service), ...validateClusterIp(service, old)],
  warn: ({ spec }) => {
    const { clusterIP, externalIPs = [] } = spec as { clusterIP?: string; externalIPs?: readonly string[] };
    if (externalIPs.length === 0) return [];
    return [
      clusterIP === "None"
        ? "spec.externalIPs is ignored for headless services"
        : "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ];
  },
};

const services = { group: "", plural: "services" };
const firstNodePort = 30000;
const nodePorts = 2768;

/** Addresses and ports of one's own choice must be free; refusals look like those of a validation. */
function allocate(service: UnstructuredObject, context: StrategyContext): void {
  const spec = service["spec"] as Fields;
  if (spec["type"] === "ExternalName") return;
  const others = [...context.list(services)].filter(({ metadata }) => metadata.uid !== service.metadata.uid);
  const specs = others.map((other) => other["spec"] as Fields);
  const addresses = new Set(specs.map(({ clusterIP }) => clusterIP));
  const wrong = addressErrors(spec["clusterIP"], addresses);
  spec["clusterIP"] ||= freeAddress(addresses, context.random);
  spec["clusterIPs"] ??= [spec["clusterIP"]];
  // Whoever has neither address nor selector is ready for anything.
  const isOpen = spec["clusterIP"] === "None" && Object.keys(spec["selector"] ?? {}).length === 0;
  spec["ipFamilies"] ??= isOpen ? ["IPv4", "IPv6"] : ["IPv4"];
  spec["ipFamilyPolicy"] ??= isOpen ? "RequireDualStack" : "SingleStack";
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer")
    wrong.push(...allocateNodePorts(spec, specs, context));
  if (wrong.length > 0) throw invalidObject({ group: "", kind: "Service" }, service.metadata.name ?? "", wrong);
}

const range = "10.96.";

function addressErrors(address: unknown, used: ReadonlySet<unknown>): StatusCause[] {
  if (typeof address !== "string" || isIP(address) !== 4) return [];
  const why = used.has(address)
    ? "provided IP is already allocated"
    : address.startsWith(range)
      ? undefined
      : "the provided network does not match the current range";
  return why ? [invalid("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${why}`)] : [];
}

/** Somewhere in 10.96.0.0/16, as in a cluster made by kubeadm. */
function freeAddress(used: ReadonlySet<unknown>, random: () => number): string {
  for (;;) {
    const address = `${range}${Math.floor(random() * 256)}.${1 + Math.floor(random() * 254)}`;
    if (!used.has(address)) return address;
  }
}

function allocateNodePorts(spec: Fields, others: readonly Fields[], { random }: StrategyContext): StatusCause[] {
  const used = new Set(
    others.flatMap((other) => [...items(other, "ports").map(({ nodePort }) => nodePort), other["healthCheckNodePort"]]),
  );
  const own = new Set<string>();
  const free = (): number => {
    for (;;) {
      const candidate = firstNodePort + Math.floor(random() * nodePorts);
      if (!used.has(candidate)) return candidate;
    }
  };
  const wrong = items(spec, "ports").flatMap((port, index) => {
    const wanted = (port["nodePort"] ||= free()) as number;
    // Two protocols of one service may share a port.
    const isTaken = used.has(wanted) || own.has(`${wanted}/${String(port["protocol"])}`);
    own.add(`${wanted}/${String(port["protocol"])}`);
    return nodePortErrors(`spec.ports[${index}].nodePort`, wanted, isTaken);
  });
  const checksHealth = spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
  for (const { nodePort } of items(spec, "ports")) used.add(nodePort);
  if (checksHealth) spec["healthCheckNodePort"] ||= free();
  return wrong;
}

function nodePortErrors(field: string, port: number, isTaken: boolean): StatusCause[] {
  const last = firstNodePort + nodePorts - 1;
  if (port < firstNodePort || port > last) {
    const why = `The range of valid ports is ${firstNodePort}-${last}`;
    return [invalid(field, port, `provided port is not in the valid range. ${why}`)];
  }
  return isTaken ? [invalid(field, port, "provided port is already allocated")] : [];
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
    if (port["nodePort"] && spec["type"] === "ClusterIP")
      missing.push(forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    return [...missing, ...["port", "targetPort"].flatMap((name) => numberErrors(`${at}.${name}`, port[name]))];
  });
}

function numberErrors(field: string, value: unknown): StatusCause[] {
  if (typeof value !== "number" || (value >= 1 && value <= 65535)) return [];
  return [invalid(field, value, "must be between 1 and 65535, inclusive")];
}

function ipErrors(service: UnstructuredObject): StatusCause[] {
  const { clusterIP, externalIPs = [] } = service["spec"] as { clusterIP?: string; externalIPs?: readonly string[] };
  const isName = clusterIP !== undefined && clusterIP !== "" && clusterIP !== "None";
  const own = !isName || isIP(clusterIP) === 4 ? [] : [clusterIpError(clusterIP)];
  const outer = externalIPs.flatMap((address, index) => externalIpErrors(`spec.externalIPs[${index}]`, address));
  return [...own, ...outer];
}

const noAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

function clusterIpError(address: string): StatusCause {
  const field = "spec.clusterIPs[0]";
  if (isIP(address) === 0) return invalid(field, address, noAddress);
  return invalid(field, [address], "IPv6 is not configured on this cluster");
}

function externalIpErrors(field: string, address: string): StatusCause[] {
  if (isIP(address) === 0) return [invalid(field, address, noAddress)];
  const isLoopback = address.startsWith("127.") || address === "::1";
  return isLoopback ? [invalid(field, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)")] : [];
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
