import type { Condition } from "../../apimachinery/meta.ts";
import { formatTime } from "../../apimachinery/time.ts";

/** A condition without its transition time, which `setCondition` maintains. */
export type NewCondition = Omit<Condition, "lastTransitionTime"> & Partial<Pick<Condition, "lastTransitionTime">>;

/**
 * Sets a condition in a list, in place; returns true if it changed. `lastTransitionTime` changes only with the status,
 * so that it tells since when the condition holds.
 *
 * @example
 * const status = (memcached.status ??= {});
 * const changed = setCondition((status.conditions ??= []), {
 *   type: "Available",
 *   status: "True",
 *   reason: "Ready",
 *   message: "all replicas answer",
 * });
 * if (changed) await client.status.update(Memcached, memcached);
 */
export function setCondition(
  conditions: Condition[],
  wanted: NewCondition,
  now: () => Date = () => new Date(),
): boolean {
  const time = (): string => wanted.lastTransitionTime ?? formatTime(now());
  const found = conditions.find((each) => each.type === wanted.type);
  if (!found) {
    conditions.push({ ...wanted, lastTransitionTime: time() });
    return true;
  }
  const { status, reason, message, observedGeneration } = found;
  const moved = status !== wanted.status;
  const same =
    reason === wanted.reason && message === wanted.message && observedGeneration === wanted.observedGeneration;
  if (!moved && same) return false;
  Object.assign(found, wanted, { lastTransitionTime: moved ? time() : found.lastTransitionTime });
  // As in Go: a condition without a generation does not keep the old one.
  if (wanted.observedGeneration === undefined) delete found.observedGeneration;
  return true;
}

/** A condition of any kind: those of Deployments and other built-in kinds lack fields of `Condition`. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/**
 * Returns the condition of a type, if it exists.
 *
 * @example
 * const since = findCondition(memcached.status?.conditions, "Available")?.lastTransitionTime;
 */
export function findCondition<T extends AnyCondition>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((each) => each.type === type);
}

/**
 * Reports whether the condition exists and is `True`.
 *
 * @example
 * const result: Result = isConditionTrue(memcached.status?.conditions, "Available") ? {} : { requeueAfter: 5_000 };
 */
export function isConditionTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/**
 * Reports whether the condition exists and is `False`.
 *
 * @example
 * if (isConditionFalse(memcached.status?.conditions, "Available")) ctx.log.info("Still waiting for replicas");
 */
export function isConditionFalse(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "False";
}

/**
 * Reports whether a condition of the type has exactly this status.
 *
 * @example
 * const unknown = isConditionPresentAndEqual(memcached.status?.conditions, "Available", "Unknown");
 */
export function isConditionPresentAndEqual(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
  status: Condition["status"],
): boolean {
  return findCondition(conditions, type)?.status === status;
}

/**
 * Removes a condition in place; returns true if it existed.
 *
 * @example
 * const { conditions = [] } = memcached.status ?? {};
 * if (removeCondition(conditions, "Degraded")) await client.status.update(Memcached, memcached);
 */
export function removeCondition(conditions: Condition[], type: string): boolean {
  const index = conditions.findIndex((each) => each.type === type);
  if (index >= 0) conditions.splice(index, 1);
  return index >= 0;
}
