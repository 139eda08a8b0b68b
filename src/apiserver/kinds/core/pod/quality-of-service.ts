import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";

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
