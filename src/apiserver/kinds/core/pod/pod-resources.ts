import { type Fields, child, childIf, fill, items } from "../../../../apimachinery/fields.ts";
import {
  addResources,
  formatResources,
  maxResources,
  parseResources,
  pickResources,
  type ResourceList,
} from "../../../../apimachinery/resource-list.ts";
import { isHugePages } from "../../rules/resource-name-errors.ts";

export type ResourceSide = "requests" | "limits";

/**
 * Returns the sum of the containers' requests or limits. Init containers run before the others, so that the largest of
 * them counts; those that keep running count with the others.
 */
export function sumOfContainers(spec: Fields | undefined, side: ResourceSide): ResourceList {
  let [running, beside, initial]: ResourceList[] = [new Map(), new Map(), new Map()];
  for (const container of items(spec, "containers")) running = addResources(running!, resourcesOf(container, side));
  for (const container of items(spec, "initContainers")) {
    const own = resourcesOf(container, side);
    const together = addResources(own, beside!);
    if (container["restartPolicy"] === "Always") {
      running = addResources(running!, own);
      beside = together;
    }
    initial = maxResources(initial!, together);
  }
  return maxResources(running!, initial!);
}

/** Returns the requests or limits of a container, or those of the pod itself. */
export function resourcesOf(container: Fields | undefined, side: ResourceSide): ResourceList {
  return parseResources(childIf(childIf(container, "resources"), side));
}

/**
 * Returns the requests of a pod: the sum of its containers, or its own amounts, and the overhead of its RuntimeClass.
 */
export function sumWithOverhead(spec: Fields | undefined, side: ResourceSide): ResourceList {
  const own = pickResources(resourcesOf(spec, side), (name) => isCompute(name) || isHugePages(name));
  const sum = overrideResources(sumOfContainers(spec, side), own);
  const overhead = parseResources(childIf(spec, "overhead"));
  // It does not limit a resource that nothing else limits.
  const isAdded = (name: string): boolean => side === "requests" || (sum.get(name)?.nanos ?? 0n) !== 0n;
  return addResources(sum, pickResources(overhead, isAdded));
}

/** Returns a list in which the amounts of the other one take precedence. */
export function overrideResources(list: ResourceList, by: ResourceList): ResourceList {
  return new Map([...list, ...by]);
}

/** Sets the missing resources of a pod itself, from those of its containers and from its own limits. */
export function defaultPodResources(spec: Fields): void {
  const resources = childIf(spec, "resources");
  const limits = childIf(resources, "limits");
  if (!resources || (isEmpty(limits) && isEmpty(childIf(resources, "requests")))) return;
  const pages = formatResources(pickResources(sumOfContainers(spec, "limits"), isHugePages));
  if (!isEmpty(pages)) fill(child(resources, "limits"), pages);
  const requests = pickResources(sumOfContainers(spec, "requests"), isCompute);
  const limited = pickResources(resourcesOf(spec, "limits"), (name) => isCompute(name) || isHugePages(name));
  const defaults = { ...formatResources(limited), ...formatResources(requests) };
  if (!isEmpty(defaults)) fill(child(resources, "requests"), defaults);
}

/** Reports whether a pod itself may ask for a resource that a node can promise more than once. */
export function isCompute(name: string): boolean {
  return name === "cpu" || name === "memory";
}

function isEmpty(amounts: Fields | undefined): boolean {
  return Object.keys(amounts ?? {}).length === 0;
}

/**
 * Returns Guaranteed if all limits of cpu and memory equal the requests, BestEffort if there are none. If the pod itself
 * has resources, those of its containers do not count.
 */
export function qualityOf(spec: Fields): string {
  const containers = [...items(spec, "initContainers"), ...items(spec, "containers")];
  const resources = (childIf(spec, "resources") ? [spec] : containers).map((container) => {
    const { requests = {}, limits = {} } = (container["resources"] ?? {}) as Record<string, Record<string, unknown>>;
    return { requests, limits };
  });
  const says = resources.some(({ requests, limits }) =>
    ["cpu", "memory"].some((name) => isSome(requests[name]) || isSome(limits[name])),
  );
  if (!says) return "BestEffort";
  const guaranteed = resources.every(({ requests, limits }) =>
    ["cpu", "memory"].every((name) => isSome(limits[name]) && requests[name] === limits[name]),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}

function isSome(quantity: unknown): boolean {
  return quantity !== undefined && quantity !== "0";
}
