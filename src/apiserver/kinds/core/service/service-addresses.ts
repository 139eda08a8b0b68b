import { invalidError } from "../../../../apimachinery/invalid-error.ts";
import { contains } from "../../../../apimachinery/ip-address.ts";
import { type Fields, childIf, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, invalid as invalidField } from "../../../../apimachinery/field-error.ts";
import type { StrategyContext } from "../../../registry/served-resource.ts";
import { addressErrors, readAddress, readRange } from "../../rules/address-errors.ts";
import { enumOf, fieldRules } from "../../rules/field-rules.ts";
import { checksHealth } from "./service-errors.ts";

const services = { group: "", plural: "services" };
const firstNodePort = 30000;
const nodePorts = 2768;
/** Number of ports at the beginning of the range that are given out only on request. */
const chosenPorts = 86;

/** Allocates the addresses and ports of a service before its validation; throws a 422 if one is not available. */
export function allocate(
  service: UnstructuredObject,
  old: UnstructuredObject | undefined,
  context: StrategyContext,
): void {
  const spec = service["spec"] as Fields;
  if (spec["type"] === "ExternalName") return;
  const others = [...context.list(services)]
    .filter(({ metadata }) => metadata.uid !== service.metadata.uid)
    .map((other) => other["spec"] as Fields);
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw invalidError({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
  };
  // A service with neither address nor selector accepts both families.
  const isOpen = spec["clusterIP"] === "None" && Object.keys(spec["selector"] ?? {}).length === 0;
  refuse(familyErrors(spec, "spec"));
  refuse(stackErrors(spec, isOpen));
  const used = new Set(others.map((other) => other["clusterIP"]));
  const isNew = !old || childIf(old, "spec")?.["type"] === "ExternalName";
  const wrong = isNew ? allocationErrors(spec["clusterIP"], used) : [];
  spec["clusterIP"] ||= freeAddress(used, context.random);
  spec["clusterIPs"] ??= [spec["clusterIP"]];
  spec["ipFamilyPolicy"] ??= isOpen ? "RequireDualStack" : "SingleStack";
  const given = (spec["ipFamilies"] ??= ["IPv4"]) as string[];
  if (isOpen && spec["ipFamilyPolicy"] !== "SingleStack") spec["ipFamilies"] = [...new Set([...given, ...families])];
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer")
    wrong.push(...allocateNodePorts(spec, others, context.random));
  refuse(wrong);
}

const families = ["IPv4", "IPv6"];

const familyErrors = fieldRules({
  "ipFamilies[]": enumOf(...families),
  ipFamilyPolicy: enumOf("PreferDualStack", "RequireDualStack", "SingleStack"),
  clusterIPs: (list, at, { clusterIP }) => {
    const [first] = (list ?? []) as string[];
    return (clusterIP || undefined) === first ? [] : [invalidField(at, list ?? [], "must begin with `clusterIP`")];
  },
  "clusterIPs[]": (address, at) => (address === "None" && at.endsWith("[0]") ? [] : addressErrors(at, textOf(address))),
});

/** Refuses IPv6, of which the cluster has no addresses; nobody gives an open service any. */
function stackErrors(spec: Fields, isOpen: boolean): FieldError[] {
  const { ipFamilies = [], clusterIPs = [], ipFamilyPolicy: policy } = spec;
  const unserved = "IPv6 is not configured on this cluster";
  if ((clusterIPs as string[]).length > 1) return [invalidField("spec.clusterIPs[1]", clusterIPs, unserved)];
  if (isOpen) return [];
  return [
    ...(ipFamilies as string[]).flatMap((family, index) =>
      family === "IPv6" ? [invalidField(`spec.ipFamilies[${index}]`, family, unserved)] : [],
    ),
    ...(policy === "RequireDualStack" ? [invalidField("spec.ipFamilyPolicy", policy, unserved)] : []),
  ];
}

/** The addresses of services in a cluster that kubeadm creates. */
export const serviceRange = "10.96.0.0/12";

function allocationErrors(address: unknown, used: ReadonlySet<unknown>): FieldError[] {
  if (!address || address === "None") return [];
  const wanted = readAddress(textOf(address));
  if (wanted?.family === 6)
    return [invalidField("spec.clusterIPs[0]", [address], "IPv6 is not configured on this cluster")];
  const refuse = (why: string): FieldError[] => [
    invalidField("spec.clusterIPs", [address], `failed to allocate IP ${textOf(address)}: ${why}`),
  ];
  if (used.has(address)) return refuse("provided IP is already allocated");
  return wanted && contains(readRange(serviceRange)!, wanted)
    ? []
    : refuse("the provided network does not match the current range");
}

/** Returns a free address in the first part of the range. */
function freeAddress(used: ReadonlySet<unknown>, random: () => number): string {
  for (;;) {
    const address = `10.96.${1 + Math.floor(random() * 255)}.${1 + Math.floor(random() * 254)}`;
    if (!used.has(address)) return address;
  }
}

function allocateNodePorts(spec: Fields, others: readonly Fields[], random: () => number): FieldError[] {
  const used = new Set(
    others.flatMap((other) => [...items(other, "ports").map(({ nodePort }) => nodePort), other["healthCheckNodePort"]]),
  );
  const own = new Set<string>();
  const given = new Set(items(spec, "ports").map(({ nodePort }) => nodePort));
  const free = (): number => {
    for (;;) {
      const candidate = firstNodePort + chosenPorts + Math.floor(random() * (nodePorts - chosenPorts));
      if (used.has(candidate) || given.has(candidate)) continue;
      given.add(candidate);
      return candidate;
    }
  };
  const givesPorts = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false;
  const wrong = items(spec, "ports").flatMap((port, index) => {
    if (!port["nodePort"] && !givesPorts) return [];
    const wanted = (port["nodePort"] ||= free()) as number;
    // Two protocols of one service may share a port.
    const key = `${wanted}/${textOf(port["protocol"])}`;
    const isTaken = used.has(wanted) || own.has(key);
    own.add(key);
    return nodePortErrors(`spec.ports[${index}].nodePort`, wanted, isTaken);
  });
  for (const { nodePort } of items(spec, "ports")) used.add(nodePort);
  if (checksHealth(spec)) spec["healthCheckNodePort"] ||= free();
  return wrong;
}

function nodePortErrors(field: string, port: number, isTaken: boolean): FieldError[] {
  const last = firstNodePort + nodePorts - 1;
  const isInRange = port >= firstNodePort && port <= last;
  if (isInRange && !isTaken) return [];
  const range = `The range of valid ports is ${firstNodePort}-${last}`;
  const why = isInRange ? "provided port is already allocated" : `provided port is not in the valid range. ${range}`;
  return [invalidField(field, port, why)];
}
