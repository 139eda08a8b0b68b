import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";
import {
  addResources,
  maxResources,
  parseResources,
  type ResourceList,
} from "../../../../apimachinery/resource-list.ts";

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
 * Returns Guaranteed if all limits of cpu and memory equal the requests, BestEffort if there are none.
 */
export function qualityOf(spec: Fields): string {
  const containers = [...items(spec, "initContainers"), ...items(spec, "containers")];
  const resources = containers.map((container) => {
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
