import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { roundUpQuantity, parseQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import { parseResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { resourcesOf, sumOfContainers } from "../../kinds/core/pod/pod-resources.ts";
import { isExtended, isHugePages, isNative } from "../../kinds/rules/resource-rules.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";

type Resource = Pick<ServedResource, "group" | "plural">;

/** Returns the evaluator of a resource. */
export function evaluatorOf({ group, plural }: Resource): QuotaEvaluator {
  if (group === "" && plural === "pods") return podEvaluator;
  const names = [countName(group, plural), ...(group === "" && plain.includes(plural) ? [plural] : [])];
  return group === "" && plural === "persistentvolumeclaims" ? claimEvaluator(names) : objectCount(names);
}

/** Core resources that a quota also counts by their plural. */
const plain: readonly string[] = [
  "configmaps",
  "persistentvolumeclaims",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
];

/** Returns the evaluator of a resource of which only the objects count. */
function objectCount(names: readonly string[]): QuotaEvaluator {
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === undefined,
    tracks: (name) => names.includes(name),
    usageOf: () => new Map(names.map((name) => [name, one])),
  };
}

const storage = "requests.storage";

/** Returns the evaluator of claims and the storage that they ask for. */
function claimEvaluator(names: readonly string[]): QuotaEvaluator {
  return {
    handles: ({ operation, subresource }) => operation !== "DELETE" && subresource === undefined,
    tracks: (name) => names.includes(name) || name === storage,
    usageOf(claim) {
      const asked = parseResources(childIf(childIf(childIf(claim, "spec"), "resources"), "requests")).get("storage");
      const ofStorage = asked ? [[storage, roundUpQuantity(asked)] as const] : [];
      return new Map([...names.map((name) => [name, one] as const), ...ofStorage]);
    },
  };
}

/** Reports whether quotas ignore a resource. */
export function isBeyondQuotas({ group, plural }: Resource): boolean {
  if (plural === "events") return group === "" || group === "events.k8s.io";
  return (
    group === "authorization.k8s.io" || group === "authentication.k8s.io" || (group === "" && plural === "bindings")
  );
}

const count = countName("", "pods");
const computed = ["cpu", "memory", "ephemeral-storage"];
const tracked = new Set([count, "pods", ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])]);
/** Each container must have a value for these, if a quota names them. */
const required = new Set(["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** Pods: those that have not ended, with the sums of their containers; `count/pods` counts all of them. */
export const podEvaluator: QuotaEvaluator = {
  handles({ operation, subresource }) {
    if (subresource !== undefined) return subresource === "resize" && operation === "UPDATE";
    return operation === "CREATE";
  },
  tracks: (name) => tracked.has(name) || isHugePages(name.replace(/^requests\./, "")) || isRequestOfDevice(name),
  findMissing,
  usageOf(pod, now) {
    const usage = new Map([[count, one]]);
    if (hasEnded(pod, now)) return usage;
    const spec = childIf(pod, "spec");
    const [requests, limits] = [sumOfContainers(spec, "requests"), sumOfContainers(spec, "limits")];
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

/** A write as quotas see it. */
export type QuotaWrite = Pick<
  AdmissionAttributes,
  "resource" | "subresource" | "operation" | "namespace" | "name" | "object" | "oldObject"
>;

/** The usage of quotas by the objects of one resource. */
export interface QuotaEvaluator {
  /** Reports whether a write may change the usage. */
  handles(write: QuotaWrite): boolean;
  /** Reports whether an object may use a resource that a quota names so. */
  tracks(name: string): boolean;
  /** Returns the fields that a quota of these resources requires and an object lacks, as text. */
  findMissing?(names: readonly string[], object: UnstructuredObject): string | undefined;
  /** Returns the usage of an object; `now` is in milliseconds. */
  usageOf(object: UnstructuredObject, now: number): ResourceList;
}

/** Returns the name by which a quota counts the objects of a resource. */
function countName(group: string, plural: string): string {
  return group ? `count/${plural}.${group}` : `count/${plural}`;
}

const one: ParsedQuantity = parseQuantity("1");
