import { equalJson } from "./equal.ts";
import type { Condition, Int64, Time } from "./meta.ts";
import { formatTime } from "./time.ts";

/** A condition of any kind. Conditions of Deployments and other built-in kinds lack some fields of `Condition`. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/** A condition that `setCondition` sets: `Condition`, one of a built-in kind, or a type of your own. */
export interface SettableCondition extends AnyCondition {
  lastTransitionTime?: Time;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: Int64;
}

/**
 * A condition without its transition time, which `setCondition` maintains. `observedGeneration` takes the generation of an
 * object as it is, also `undefined`.
 */
export type NewCondition<C extends SettableCondition = Condition> = Omit<
  C,
  "lastTransitionTime" | "observedGeneration"
> &
  Partial<Pick<C, "lastTransitionTime">> & {
    readonly [K in keyof C & "observedGeneration"]?: C[K] | undefined;
  };

/**
 * Sets a condition in a list, in place; returns true if it changed. `lastTransitionTime` changes only with the status,
 * so that it shows since when the condition holds.
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
export function setCondition<C extends SettableCondition>(
  conditions: C[],
  wanted: NewCondition<C>,
  now: () => Date = () => new Date(),
): boolean {
  const time = (): Time => wanted.lastTransitionTime ?? formatTime(now());
  const found = conditions.find((each) => each.type === wanted.type);
  if (!found) {
    conditions.push(withoutUndefined({ ...wanted, lastTransitionTime: time() } as C));
    return true;
  }
  const lastTransitionTime = found.status === wanted.status ? found.lastTransitionTime : time();
  // As in Go: a condition that is set without one of these does not keep the old one.
  const { reason, message, observedGeneration } = wanted;
  const set = { ...wanted, reason, message, observedGeneration, lastTransitionTime };
  if (equalJson({ ...found, ...set }, found)) return false;
  Object.assign(found, set);
  withoutUndefined(found);
  return true;
}

function withoutUndefined<C extends object>(condition: C): C {
  for (const key in condition) if (condition[key] === undefined) delete condition[key];
  return condition;
}

/**
 * Sets a condition in the status of an object, in place, as `setCondition`; creates the status and its list if the object
 * has none. Copy an object that a cached client returned before you change it.
 *
 * @example
 * const changed = setStatusCondition(memcached, {
 *   type: "Available",
 *   status: "True",
 *   reason: "Ready",
 *   message: "all replicas answer",
 *   observedGeneration: memcached.metadata.generation,
 * });
 * if (changed) await client.status.update(Memcached, memcached);
 */
export function setStatusCondition<C extends SettableCondition>(
  object: { status?: { conditions?: C[] } },
  wanted: NewCondition<C>,
  now?: () => Date,
): boolean {
  const status = (object.status ??= {});
  return setCondition((status.conditions ??= []), wanted, now);
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
export function removeCondition(conditions: AnyCondition[], type: string): boolean {
  const index = conditions.findIndex((each) => each.type === type);
  if (index >= 0) conditions.splice(index, 1);
  return index >= 0;
}
