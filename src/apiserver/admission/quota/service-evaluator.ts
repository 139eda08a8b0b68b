import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import { countName, one } from "./object-count.ts";
import type { QuotaEvaluator } from "./quota-evaluator.ts";

const count = countName("", "services");
const tracked = new Set([count, "services", "services.loadbalancers", "services.nodeports"]);

/** Services, their load balancers and the ports of nodes that they take. */
export const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => operation !== "DELETE" && subresource === undefined,
  tracks: (name) => tracked.has(name),
  usageOf(service) {
    const isBalanced = exposedType(service) === "LoadBalancer";
    return new Map([
      [count, one],
      ["services", one],
      ["services.loadbalancers", isBalanced ? one : amount(0)],
      ["services.nodeports", amount(countNodePorts(service))],
    ]);
  },
};

/** Returns the type of a service that is reached from outside; an empty text for others. */
export function exposedType(service: UnstructuredObject): string {
  const type = textOf(childIf(service, "spec")?.["type"]);
  return type === "NodePort" || type === "LoadBalancer" ? type : "";
}

/** Each port of such a service gets a port of the nodes, unless a load balancer does without. */
function countNodePorts(service: UnstructuredObject): number {
  const spec = childIf(service, "spec");
  const ports = items(spec, "ports");
  const type = exposedType(service);
  if (type === "") return 0;
  const isFree = type === "LoadBalancer" && spec?.["allocateLoadBalancerNodePorts"] === false;
  return isFree ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}

function amount(number: number): ParsedQuantity {
  return parseQuantity(String(number));
}
