import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { compareQuantities, subtractQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import {
  addResources,
  formatResources,
  parseResources,
  pickResources,
  type ResourceList,
} from "../../../apimachinery/resource-list.ts";
import { mapAt } from "../../kinds/printing/field-access.ts";
import { forbidden } from "../../refusals.ts";
import { evaluatorOf, isBeyondQuotas, type QuotaEvaluator, type QuotaWrite } from "./evaluator-of.ts";
import type { Fields } from "../../../apimachinery/fields.ts";

/** A quota, and its usage with a write. */
export interface Charge {
  readonly quota: UnstructuredObject;
  readonly used: ResourceList;
}

/**
 * Returns the quotas whose usage a write raises. Throws if one does not allow it. A quota has no effect until its status
 * has limits, which a controller writes.
 */
export function checkQuotas(quotas: readonly UnstructuredObject[], write: QuotaWrite, now: number): Charge[] {
  const { resource, object } = write;
  const evaluator = evaluatorOf(resource);
  if (!object || isBeyondQuotas(resource) || !evaluator.handles(write)) return [];
  const concerned = quotas.filter((quota) => !hasScopes(quota) && trackedBy(quota, evaluator).length > 0);
  for (const quota of concerned) requireKnown(quota, evaluator, write);
  return concerned.flatMap((quota) => {
    const added = usageOfWrite(quota, { evaluator, write, now });
    return added.size === 0 ? [] : [{ quota, used: raise(quota, added, write) }];
  });
}

function trackedBy(quota: UnstructuredObject, evaluator: QuotaEvaluator): string[] {
  return Object.keys(mapAt(quota, "status", "hard"))
    .filter((name) => evaluator.tracks(name))
    .sort();
}

/** Refuses an object without the fields that the quota requires, and any object while the usage is not known. */
function requireKnown(quota: UnstructuredObject, evaluator: QuotaEvaluator, write: QuotaWrite): void {
  const names = trackedBy(quota, evaluator);
  const missing = write.object && evaluator.findMissing?.(names, write.object);
  if (missing !== undefined) throw refuse(write, `failed quota: ${quota.metadata.name}: ${missing}`);
  const used = mapAt(quota, "status", "used");
  if (names.some((name) => used[name] === undefined))
    throw refuse(write, `status unknown for quota: ${quota.metadata.name}, resources: ${names.join(",")}`);
}

interface Counting {
  readonly evaluator: QuotaEvaluator;
  readonly write: QuotaWrite;
  readonly now: number;
}

/** Returns the usage that a write adds to a quota's resources. */
function usageOfWrite(quota: UnstructuredObject, { evaluator, write, now }: Counting): ResourceList {
  const { object, oldObject } = write;
  const usage = evaluator.usageOf(object!, now);
  const before = oldObject ? evaluator.usageOf(oldObject, now) : new Map();
  const added = [...usage].map(([name, amount]) => {
    const old = before.get(name);
    return [name, old ? subtractQuantities(amount, old) : amount] as const;
  });
  const hard = mapAt(quota, "status", "hard");
  return new Map(added.filter(([name, { nanos }]) => nanos > 0n && hard[name] !== undefined));
}

/** Returns the usage with a write. Refuses the write if that is more than the quota allows. */
function raise(quota: UnstructuredObject, added: ResourceList, write: QuotaWrite): ResourceList {
  const before = parseResources(mapAt(quota, "status", "used"));
  const used = addResources(before, added);
  const hard = hardOf(quota, "status");
  const exceeded = [...added.keys()].filter((name) => compareQuantities(used.get(name)!, hard.get(name)!) > 0);
  if (exceeded.length === 0) return used;
  const text = (list: ResourceList): string =>
    Object.entries(formatResources(pickResources(list, (name) => exceeded.includes(name))))
      .map(([name, amount]) => `${name}=${amount}`)
      .join(",");
  const sums = `requested: ${text(added)}, used: ${text(before)}, limited: ${text(hard)}`;
  throw refuse(write, `exceeded quota: ${quota.metadata.name}, ${sums}`);
}

function refuse({ resource, name }: QuotaWrite, why: string): Error {
  return forbidden(resource, name, why);
}

/** Returns the limits of a quota: as they are wanted, or as they hold since its usage is known. */
function hardOf(quota: UnstructuredObject, part: "spec" | "status"): ResourceList {
  return parseResources(mapAt(quota, part, "hard"));
}

/** Reports whether a quota counts only some objects; such a quota has no effect here. */
function hasScopes({ spec = {} }: UnstructuredObject & { readonly spec?: Fields }): boolean {
  return spec["scopes"] !== undefined || spec["scopeSelector"] !== undefined;
}

/** Returns how much of a quota's resources the objects of one resource use. */
export function usageOfAll(
  quota: UnstructuredObject,
  evaluator: QuotaEvaluator,
  { objects, now }: { readonly objects: readonly UnstructuredObject[]; readonly now: number },
): ResourceList {
  const tracked = [...hardOf(quota, "spec").keys()].filter((name) => evaluator.tracks(name));
  let used: ResourceList = new Map(tracked.map((name) => [name, parseQuantity("0")]));
  for (const object of objects) used = addResources(used, evaluator.usageOf(object, now));
  return pickResources(used, (name) => tracked.includes(name));
}
