import { invalidError } from "../../../../apimachinery/invalid-error.ts";
import { contains } from "../../../../apimachinery/ip-address.ts";
import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, childIf, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, duplicate, invalid as invalidField, required } from "../../../../apimachinery/field-error.ts";
import type { StrategyContext } from "../../../registry/strategy.ts";
import { addressErrors, readAddress, readRange } from "../../rules/address-errors.ts";
import { optionalWordErrors, repeatedIndexes, wordErrors } from "../../rules/value-errors.ts";
import { checksHealth } from "./load-balancer.ts";

const services = { group: "", plural: "services" };
const firstNodePort = 30000;
const nodePorts = 2768;
/** Number of ports at the beginning of the range that are given out only on request, as on a real server. */
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
  const before = (childIf(old, "spec")?.["ipFamilies"] ?? []) as string[];
  // The change to a single family releases the other.
  if (spec["ipFamilyPolicy"] === "SingleStack" && before.length > 1 && equalJson(spec["ipFamilies"], before))
    spec["ipFamilies"] = before.slice(0, 1);
  refuse(familyErrors(spec));
  refuse(stackErrors(spec, before, isOpen));
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

const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const families = ["IPv4", "IPv6"];

function familyErrors(spec: Fields): FieldError[] {
  const { ipFamilies = [], ipFamilyPolicy } = spec as { ipFamilies?: string[] } & Fields;
  return [
    ...listedErrors(spec),
    ...ipFamilies.flatMap((family, index) => wordErrors(`spec.ipFamilies[${index}]`, family, families)),
    ...[...repeatedIndexes(ipFamilies)].map((index) => duplicate(`spec.ipFamilies[${index}]`, ipFamilies[index])),
    ...optionalWordErrors("spec.ipFamilyPolicy", ipFamilyPolicy, policies),
    ...listErrors(spec),
  ];
}

/** Checks that the address is the first of the list. */
function listedErrors({ clusterIP, clusterIPs = [] }: Fields): FieldError[] {
  const [field, given] = ["spec.clusterIPs", clusterIPs as string[]];
  if (clusterIP && given.length === 0) return [required(field)];
  if (clusterIP && given[0] !== clusterIP) return [invalidField(field, given, "first value must match `clusterIP`")];
  if (clusterIP || given.length === 0) return [];
  return [invalidField(field, given, "must be empty when `clusterIP` is not specified")];
}

function listErrors({ clusterIPs = [] }: Fields): FieldError[] {
  const [field, given] = ["spec.clusterIPs", clusterIPs as string[]];
  const wrong = given.flatMap((address, index) =>
    index === 0 && address === "None" ? [] : addressErrors(`${field}[${index}]`, address),
  );
  const isMixed = given.length > 1 && given[0] === "None";
  const isTwice = given.length > 1 && new Set(given.map((address) => readAddress(address)?.family)).size === 1;
  return [
    ...(isMixed ? [invalidField(field, given, "'None' must be the first and only value")] : []),
    ...wrong,
    ...(given.length > 2 ? [invalidField(field, given, "may only hold up to 2 values")] : []),
    ...(isTwice && !isMixed && wrong.length === 0
      ? [invalidField(field, given, "may specify no more than one IP for each IP family")]
      : []),
  ];
}

/** Checks the families on a cluster that has addresses of IPv4 only; nobody gives an open service any. */
function stackErrors(spec: Fields, before: readonly string[], isOpen: boolean): FieldError[] {
  const { ipFamilies: given = [], clusterIP } = spec as { ipFamilies?: string[] } & Fields;
  const policy = spec["ipFamilyPolicy"] ?? (isOpen ? "RequireDualStack" : "SingleStack");
  const [first] = given;
  const version = readAddress(textOf(clusterIP))?.family;
  if (version && first && first !== `IPv${version}`)
    return [
      invalidField("spec.clusterIPs[0]", clusterIP, `expected an ${first} value as indicated by \`ipFamilies[0]\``),
    ];
  const addresses = (spec["clusterIPs"] ?? []) as string[];
  if (addresses.length > 1)
    return [
      ...(policy === "SingleStack" ? [invalidField("spec.ipFamilyPolicy", policy, manyText("cluster IPs"))] : []),
      invalidField("spec.clusterIPs[1]", addresses, "IPv6 is not configured on this cluster"),
    ];
  if (given.length > 1 && policy === "SingleStack")
    return [invalidField("spec.ipFamilyPolicy", policy, manyText("IP families"))];
  if (given.length === 1 && before.length > 1 && policy !== "SingleStack")
    return [invalidField("spec.ipFamilyPolicy", policy, "must be 'SingleStack' to release the secondary IP family")];
  if (isOpen) return [];
  return [
    ...given.flatMap((family, index) =>
      family === "IPv6" ? [invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")] : [],
    ),
    ...(policy === "RequireDualStack"
      ? [invalidField("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")]
      : []),
  ];
}

function manyText(what: string): string {
  return `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
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
  if (port < firstNodePort || port > last) {
    const why = `The range of valid ports is ${firstNodePort}-${last}`;
    return [invalidField(field, port, `provided port is not in the valid range. ${why}`)];
  }
  return isTaken ? [invalidField(field, port, "provided port is already allocated")] : [];
}
