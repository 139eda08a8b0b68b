import { childIf, items, type Fields } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { pickResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import {
  isCompute,
  overrideResources,
  resourcesOf,
  sumOfContainers,
  type ResourceSide,
} from "../../kinds/core/pod/pod-resources.ts";
import { forbidden } from "../../refusals.ts";
import type { Store } from "../../storage/store.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import { defaultResources } from "./default-resources.ts";
import { brokenLimits, brokenRequests } from "./limit-constraints.ts";
import { limitsIn, type LimitItem } from "./limit-item.ts";

/** A write as this plugin sees it. */
export type LimitedWrite = Pick<
  AdmissionAttributes,
  "resource" | "subresource" | "operation" | "namespace" | "name" | "object" | "oldObject"
>;

/** Sets the defaults of the namespace's LimitRanges in a pod. */
export function applyLimitRanges(store: Store, write: LimitedWrite): void {
  const { object, namespace = "" } = write;
  if (!object || !isPod(write) || !isLimited(write)) return;
  for (const limits of limitsIn(store, namespace, containersOf(object).length)) defaultResources(object, limits);
}

/** Refuses a pod or a claim that breaks a LimitRange of its namespace. */
export function checkLimitRanges(store: Store, write: LimitedWrite): void {
  const { resource, object, namespace = "", name } = write;
  if (!object || !isLimited(write)) return;
  const findErrors = isPod(write) ? podErrors : claimErrors;
  for (const limits of limitsIn(store, namespace, isPod(write) ? containersOf(object).length : 1)) {
    const errors = [...new Set(findErrors(object, limits))];
    if (errors.length === 0) continue;
    throw forbidden(resource, name, errors.length === 1 ? errors[0]! : `[${errors.join(", ")}]`);
  }
}

function isPod({ resource }: LimitedWrite): boolean {
  return resource.group === "" && resource.plural === "pods";
}

/** The resources of a pod change by `/resize` only. An object that is being deleted may change in any way. */
function isLimited(write: LimitedWrite): boolean {
  const { resource, subresource, operation, oldObject } = write;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (isPod(write)) return subresource === (operation === "UPDATE" ? "resize" : undefined);
  return resource.group === "" && resource.plural === "persistentvolumeclaims" && subresource === undefined;
}

function claimErrors(claim: UnstructuredObject, limits: readonly LimitItem[]): string[] {
  const requests = resourcesOf(childIf(claim, "spec"), "requests");
  return limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((limit) => brokenRequests(limit, requests));
}

function podErrors(pod: UnstructuredObject, limits: readonly LimitItem[]): string[] {
  const containers = containersOf(pod);
  return limits.flatMap((limit) => {
    if (limit.type === "Pod")
      return brokenLimits(limit, { requests: sumOfPod(pod, "requests"), limits: sumOfPod(pod, "limits") });
    if (limit.type !== "Container") return [];
    return containers.flatMap((container) =>
      brokenLimits(limit, { requests: resourcesOf(container, "requests"), limits: resourcesOf(container, "limits") }),
    );
  });
}

function containersOf(pod: UnstructuredObject): readonly Fields[] {
  const spec = childIf(pod, "spec");
  return [...items(spec, "containers"), ...items(spec, "initContainers")];
}

/** Returns the sum of a pod; the amounts of the pod itself take precedence. */
function sumOfPod(pod: UnstructuredObject, side: ResourceSide): ResourceList {
  const spec = childIf(pod, "spec");
  const own = pickResources(resourcesOf(spec, side), isCompute);
  return overrideResources(sumOfContainers(spec, side), own);
}
