import { BlockList, isIP } from "node:net";
import { type Fields, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, duplicate, invalid as invalidField } from "../../../../apimachinery/schema/field-error.ts";
import { invalid } from "../../../refusals.ts";
import type { StrategyContext } from "../../../registry/strategy.ts";
import { optionalWordErrors, repeatedIndexes, wordErrors } from "../../rules/value-errors.ts";
import { checksHealth } from "./service-errors.ts";

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
    if (errors.length > 0) throw invalid({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
  };
  refuse(familyErrors(spec));
  const used = new Set(others.map((other) => other["clusterIP"]));
  const isNew = spec["clusterIP"] !== (old?.["spec"] as Fields | undefined)?.["clusterIP"];
  const wrong = isNew ? addressErrors(spec["clusterIP"], used) : [];
  spec["clusterIP"] ||= freeAddress(used, context.random);
  spec["clusterIPs"] ??= [spec["clusterIP"]];
  // A service with neither address nor selector accepts both families.
  const isOpen = spec["clusterIP"] === "None" && Object.keys(spec["selector"] ?? {}).length === 0;
  spec["ipFamilies"] ??= isOpen ? ["IPv4", "IPv6"] : ["IPv4"];
  spec["ipFamilyPolicy"] ??= isOpen ? "RequireDualStack" : "SingleStack";
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer")
    wrong.push(...allocateNodePorts(spec, others, context.random));
  refuse(wrong);
}

const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const families = ["IPv4", "IPv6"];

function familyErrors(spec: Fields): FieldError[] {
  const { ipFamilies = [], ipFamilyPolicy, clusterIP } = spec as { ipFamilies?: string[] } & Fields;
  return [
    ...ipFamilies.flatMap((family, index) => wordErrors(`spec.ipFamilies[${index}]`, family, families)),
    ...[...repeatedIndexes(ipFamilies)].map((index) => duplicate(`spec.ipFamilies[${index}]`, ipFamilies[index])),
    ...optionalWordErrors("spec.ipFamilyPolicy", ipFamilyPolicy, policies),
    ...(!clusterIP || clusterIP === "None" || isIP(textOf(clusterIP))
      ? []
      : [
          invalidField(
            "spec.clusterIPs[0]",
            clusterIP,
            "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
          ),
        ]),
  ];
}

/** The range of a cluster that kubeadm creates. */
const range = ["10.96.0.0", 12] as const;

function addressErrors(address: unknown, used: ReadonlySet<unknown>): FieldError[] {
  if (!address || address === "None") return [];
  if (isIP(textOf(address)) === 6)
    return [invalidField("spec.clusterIPs[0]", [address], "IPv6 is not configured on this cluster")];
  const refuse = (why: string): FieldError[] => [
    invalidField("spec.clusterIPs", [address], `failed to allocate IP ${textOf(address)}: ${why}`),
  ];
  if (used.has(address)) return refuse("provided IP is already allocated");
  const inside = new BlockList();
  inside.addSubnet(...range);
  return inside.check(textOf(address)) ? [] : refuse("the provided network does not match the current range");
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
  const free = (): number => {
    for (;;) {
      const candidate = firstNodePort + chosenPorts + Math.floor(random() * (nodePorts - chosenPorts));
      if (!used.has(candidate)) return candidate;
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
