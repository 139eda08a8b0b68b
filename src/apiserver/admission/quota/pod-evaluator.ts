import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import { isCompute, resourcesOf, sumWithOverhead } from "../../kinds/core/pod/pod-resources.ts";
import { isExtended, isHugePages, isNative } from "../../kinds/rules/resource-name-errors.ts";
import { isInScopeOfPods, isTerminating } from "./pod-scopes.ts";
import { countName, one, type QuotaEvaluator } from "./quota-evaluator.ts";

const count = countName("", "pods");
const computed = ["cpu", "memory", "ephemeral-storage"];
const tracked = new Set([count, "pods", ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])]);
/** Each container must have a value for these, if a quota names them. */
const required = new Set(["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** Pods: those that have not ended, with the sums of their containers; `count/pods` counts all of them. */
export const podEvaluator: QuotaEvaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource !== undefined) return subresource === "resize" && operation === "UPDATE";
    return operation === "CREATE" || isTerminating(object) !== isTerminating(oldObject);
  },
  tracks: (name) => tracked.has(name) || isHugePages(name.replace(/^requests\./, "")) || isRequestOfDevice(name),
  isInScope: isInScopeOfPods,
  findMissing,
  usageOf(pod, now) {
    const usage = new Map([[count, one]]);
    if (hasEnded(pod, now)) return usage;
    const spec = childIf(pod, "spec");
    const [requests, limits] = [sumWithOverhead(spec, "requests"), sumWithOverhead(spec, "limits")];
    return new Map([...usage, ...usageOf(requests, limits)]);
  },
};

function isRequestOfDevice(name: string): boolean {
  return name.startsWith("requests.") && !isNative(name);
}

/** Returns requests and limits by their names in quotas. */
function usageOf(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map([["pods", one]]);
  for (const [name, amount] of requests) {
    if (computed.includes(name) || isHugePages(name)) usage.set(name, amount);
    if (computed.includes(name) || isHugePages(name) || isExtended(name)) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (computed.includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

/** Reports whether the containers of a pod have ended, or should have. */
export function hasEnded(pod: UnstructuredObject, now: number): boolean {
  const phase = textOf(childIf(pod, "status")?.["phase"]);
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (phase === "Failed" || phase === "Succeeded") return true;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function findMissing(names: readonly string[], pod: UnstructuredObject): string | undefined {
  const spec = childIf(pod, "spec");
  const own = [...resourcesOf(spec, "requests").keys(), ...resourcesOf(spec, "limits").keys()];
  if (own.some((name) => isCompute(name) || isHugePages(name))) return undefined;
  const containers = [...items(spec, "containers"), ...items(spec, "initContainers")].map((container) => ({
    name: textOf(container["name"]),
    has: usageOf(resourcesOf(container, "requests"), resourcesOf(container, "limits")),
  }));
  const missing = names
    .filter((name) => required.has(name))
    .toSorted()
    .map((name) => ({ name, of: containers.filter(({ has }) => !has.has(name)).map((container) => container.name) }))
    .filter(({ of }) => of.length > 0);
  if (missing.length === 0) return undefined;
  return `must specify ${missing.map(({ name, of }) => `${name} for: ${[...new Set(of)].toSorted().join(",")}`).join("; ")}`;
}
