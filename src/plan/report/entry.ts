import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { diffStates, normalizeState, type Difference, type NormalObject } from "../../check/world/object-state.ts";
import type { Author, ChangedObject } from "../rehearsal/store-watch.ts";

/** What a change does to a cluster, the worst first. */
export const effects = [
  "deletes data",
  "deletes",
  "replaces",
  "restarts pods",
  "changes",
  "changes the status of",
  "may change",
  "creates",
] as const;
export type Effect = (typeof effects)[number];

/** An object that the new version changes. */
export interface Entry {
  readonly id: string;
  /** `apps/deployments` */
  readonly resource: string;
  readonly kind: string;
  /** `default/memcached` */
  readonly name: string;
  readonly effect: Effect;
  readonly by: Author;
  /** The pods that are restarted. */
  readonly pods: number;
  readonly differences: readonly Difference[];
  readonly before: UnstructuredObject | undefined;
  readonly after: UnstructuredObject | undefined;
}

const workloads = /^apps\/(deployments|statefulsets|daemonsets)$/;
const data = new Set(["/persistentvolumeclaims", "/persistentvolumes", "/secrets", "/namespaces"]);

/** The version in which an object is stored, and the authority of webhooks, which other programs write. */
const ofServer = /^apiVersion$|(^|\.)caBundle$/;

/** What is known of the objects that are compared. */
export interface Comparison {
  /** Reports whether a resource is defined by a CRD. */
  readonly isCustom: (resource: string) => boolean;
  /** True if the values of Secrets are stand-ins, so that other values may come from these. */
  readonly isHidden?: boolean;
}

/** Returns what a change does, without the differences that only time makes; undefined if nothing is left. */
export function entryOf(
  { id, before, after, by }: ChangedObject,
  { isCustom, isHidden = false }: Comparison,
): Entry | undefined {
  const space = id.indexOf(" ");
  const [resource, name] = [id.slice(0, space), id.slice(space + 1)];
  const { kind = resource } = (after ?? before)!;
  const entry = { id, resource, kind, name, by, before, after, pods: 0, differences: [] };
  if (!before) return after && isTerminating(after) ? undefined : { ...entry, effect: "creates" };
  if (!after || (isTerminating(after) && !isTerminating(before))) {
    // Its controller makes another one.
    if (resource === "/pods" && isControlled(before) && by === "operator")
      return { ...entry, effect: "restarts pods", pods: 1 };
    const isData = data.has(resource) || isCustom(resource) || kind === "CustomResourceDefinition";
    return { ...entry, effect: isData ? "deletes data" : "deletes" };
  }
  if (before.metadata.uid !== after.metadata.uid)
    return { ...entry, effect: data.has(resource) || isCustom(resource) ? "deletes data" : "replaces" };
  const isDefinition = kind === "CustomResourceDefinition";
  const all = diffStates(stateOf(id, before), stateOf(id, after)).filter(
    ({ path }) => !ofServer.test(path) && !(isDefinition && path.startsWith("status.")),
  );
  // A status follows what it is about.
  const desired = all.filter(({ path }) => !path.startsWith("status."));
  // A time in the template restarts pods, too.
  if (workloads.test(resource) && !equalJson(templateOf(before), templateOf(after)) && !isOnDelete(after))
    return { ...entry, effect: "restarts pods", pods: podsOf(before), differences: desired };
  const isUnknown = isHidden && resource === "/secrets" && desired.every(isOtherValue);
  if (desired.length > 0) return { ...entry, effect: isUnknown ? "may change" : "changes", differences: desired };
  return all.length > 0 ? { ...entry, effect: "changes the status of", differences: all } : undefined;
}

function stateOf(id: string, object: UnstructuredObject): ReadonlyMap<string, NormalObject> {
  const [normal] = normalizeState(new Map([[id, object]])).values();
  return new Map([[id, normal!]]);
}

/** Reports whether a key of a Secret has another value than before. */
function isOtherValue({ path, expected, actual }: Difference): boolean {
  return path.startsWith("data.") && expected !== undefined && actual !== undefined;
}

function isTerminating({ metadata }: UnstructuredObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isControlled({ metadata: { ownerReferences = [] } }: UnstructuredObject): boolean {
  return ownerReferences.some(({ controller }) => controller === true);
}

function templateOf({ spec }: UnstructuredObject): unknown {
  return (spec as { readonly template?: unknown } | undefined)?.template;
}

/** Reports whether pods keep an old template until somebody deletes them. */
function isOnDelete({ spec }: UnstructuredObject): boolean {
  return (spec as { readonly updateStrategy?: { readonly type?: string } }).updateStrategy?.type === "OnDelete";
}

/** Returns the number of pods that a workload has now. */
function podsOf({ kind, spec, status }: UnstructuredObject): number {
  const { replicas: wanted = 1 } = (spec ?? {}) as { replicas?: number };
  const { replicas, currentNumberScheduled } = (status ?? {}) as Record<string, number | undefined>;
  return (kind === "DaemonSet" ? currentNumberScheduled : (replicas ?? wanted)) ?? 0;
}
