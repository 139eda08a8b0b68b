import { childIf, items, type Fields, child, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { resourcesOf, sumOfContainers } from "../../kinds/core/pod/pod-resources.ts";
import { forbidden, tooLarge } from "../../refusals.ts";
import type { Store } from "../../storage/store.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import { formatQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import { type ResourceList, parseResources } from "../../../apimachinery/resource-list.ts";
import { setField } from "../../../apimachinery/set-field.ts";

/** A write as this plugin sees it. */
type LimitedWrite = Pick<
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
    .flatMap((limit) => brokenLimits(limit, { requests, limits: new Map() }));
}

function podErrors(pod: UnstructuredObject, limits: readonly LimitItem[]): string[] {
  const [spec, containers] = [childIf(pod, "spec"), containersOf(pod)];
  return limits.flatMap((limit) => {
    if (limit.type === "Pod")
      return brokenLimits(limit, {
        requests: sumOfContainers(spec, "requests"),
        limits: sumOfContainers(spec, "limits"),
      });
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

const annotation = "kubernetes.io/limit-ranger";

/** Sets the requests and limits that the containers of a pod lack, and records them in an annotation of the pod. */
function defaultResources(pod: UnstructuredObject, limits: readonly LimitItem[]): void {
  const ofContainers = limits.filter(({ type }) => type === "Container");
  const spec = childIf(pod, "spec");
  const set = [
    ...items(spec, "containers").flatMap((container) => defaultContainer(container, ofContainers, "container")),
    ...items(spec, "initContainers").flatMap((container) =>
      defaultContainer(container, ofContainers, "init container"),
    ),
  ];
  if (set.length === 0) return;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${set.join("; ")}` };
}

/** Describes the fields that were set, as in the annotation. */
function defaultContainer(container: Fields, limits: readonly LimitItem[], role: string): string[] {
  const resources = child(container, "resources");
  const texts = (["requests", "limits"] as const).flatMap((side) => {
    const defaults = limits.map((limit) => (side === "limits" ? limit.default : limit.defaultRequest));
    const names = defaults.flatMap((list) => fillMissing(resources, side, list)).sort();
    const what = side === "limits" ? "limit" : "request";
    return names.length > 0 ? [`${names.join(", ")} ${what} for ${role} ${textOf(container["name"])}`] : [];
  });
  return texts;
}

function fillMissing(resources: Fields, side: string, defaults: ResourceList): string[] {
  const amounts = childIf(resources, side) ?? {};
  const missing = [...defaults].filter(([name]) => amounts[name] === undefined);
  if (missing.length === 0) return [];
  const added = missing.map(([name, amount]) => [name, formatQuantity(amount)] as const);
  setField(resources, side, { ...amounts, ...Object.fromEntries(added) });
  return missing.map(([name]) => name);
}

/** The resources of a container, a pod or a claim. */
interface Used {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Returns why resources break an entry of a LimitRange, a text for each resource. */
function brokenLimits({ type, min, max }: LimitItem, { requests, limits }: Used): string[] {
  const isClaim = type === "PersistentVolumeClaim";
  return [
    ...[...min].flatMap(([name, least]) => {
      const given = [requests.get(name), ...(isClaim ? [] : [limits.get(name) ?? requests.get(name)])];
      const fits = given.every((amount) => amount && inMilli(amount) >= inMilli(least));
      return fits ? [] : [`minimum ${name} usage per ${type} is ${formatQuantity(least)}`];
    }),
    ...[...max].flatMap(([name, most]) => {
      const given = isClaim ? [requests.get(name)] : [limits.get(name), requests.get(name) ?? limits.get(name)];
      const fits = given.every((amount) => amount && inMilli(amount) <= inMilli(most));
      return fits ? [] : [`maximum ${name} usage per ${type} is ${formatQuantity(most)}`];
    }),
  ];
}

const milli = 10n ** 6n;

/** Returns an amount in thousandths, rounded up. */
function inMilli({ nanos }: ParsedQuantity): bigint {
  return nanos / milli + (nanos % milli > 0n ? 1n : 0n);
}

/** One entry of a LimitRange: limits for containers, pods or claims. */
interface LimitItem {
  readonly type: string;
  readonly min: ResourceList;
  readonly max: ResourceList;
  readonly default: ResourceList;
  readonly defaultRequest: ResourceList;
}

const amountLists = ["min", "max", "default", "defaultRequest"];
const limitRanges = { group: "", plural: "limitranges" };

/** Reports whether any namespace has a LimitRange. */
export function hasLimitRanges(store: Store): boolean {
  return store.collection(limitRanges).size > 0;
}

/** The maximum number of amounts of LimitRanges that are compared with containers, or given to them. */
const mostChecks = 20_000;

/**
 * Returns the entries of each LimitRange of a namespace. Throws 413 if there are too many amounts for an object with
 * this many containers.
 */
function limitsIn(store: Store, namespace: string, containers: number): LimitItem[][] {
  const ranges = [...store.collection(limitRanges).entries(`${namespace}/`)];
  let checks = 0;
  for (const [, range] of ranges)
    for (const item of items(childIf(range, "spec"), "limits"))
      for (const name of amountLists) {
        checks += containers * Object.keys(childIf(item, name) ?? {}).length;
        if (checks > mostChecks)
          throw tooLarge(`the LimitRanges of its namespace need more than ${mostChecks} checks of its containers`);
      }
  return ranges.map(([, range]) =>
    items(childIf(range, "spec"), "limits").map((item) => {
      const amounts = (name: string): ResourceList => parseResources(childIf(item, name));
      return {
        type: textOf(item["type"]),
        min: amounts("min"),
        max: amounts("max"),
        default: amounts("default"),
        defaultRequest: amounts("defaultRequest"),
      };
    }),
  );
}
