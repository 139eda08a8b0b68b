import { groupBy } from "../../apimachinery/group-by.ts";
import type { Plan } from "./plan.ts";

/** Takes plans of all classes in turn, so that a short budget tries each class; the seed chooses within a class. */
export function interleave(plans: readonly Plan[], seed: number): Plan[] {
  const byClass = groupBy(plans, ({ faultClass }) => faultClass);
  const queues = [...byClass.values()].map((queue) => rotate(queue, seed));
  const result: Plan[] = [];
  while (queues.some(({ length }) => length > 0)) for (const queue of queues) result.push(...queue.splice(0, 1));
  return result;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
