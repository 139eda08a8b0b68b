import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Strategy } from "../../registry/served-resource.ts";
import {
  admitMutating,
  admitPods,
  admitValidating,
  applyLimits,
  checkLimits,
  needsAdmission,
  chargeQuotas,
  type AdmissionWrite,
} from "./admit.ts";
import { bareError, conflict, notFound, timeout, unmetPrecondition } from "../../refusals.ts";
import { keyOf, noteChange, type Call, strategyContext } from "../request/call.ts";
import { settleAdmitted } from "../object/decode-object.ts";
import {
  dropRepeatedOwners,
  carryEnd,
  carryMeta,
  defaultObject,
  versionOf,
  type LaterFields,
  laterOnPut,
  withoutLater,
  checkName,
} from "../object/prepare-object.ts";
import { checkGrant, validateObject } from "../object/validate-object.ts";
import { keepTimes, trackFields } from "../object/managed-fields.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";

/** The change that a request makes to the live object. */
interface Change {
  /**
   * Returns a changed copy of the live object, which is frozen. Called again after a concurrent write.
   */
  apply(live: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
  readonly dryRun: boolean;
  /** True if the change sets the managedFields itself, as an apply does. */
  readonly tracked?: boolean;
  /** True if policies and webhooks see the cause of the change instead, as a Binding. */
  readonly admitted?: boolean;
}

/** The time after which a request that concurrent writes keep overtaking is given up. */
const timeoutMs = 60_000;

/**
 * Reads, changes, checks and commits an object: the path of PUT, PATCH and subresources. Starts over after a concurrent
 * write, unless the client sent a resourceVersion.
 */
export async function updateObject(call: Call, change: Change): Promise<UnstructuredObject> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const stored = call.collection.get(keyOf(call));
    if (!stored) throw notFound(call.entry.resource, call.name);
    if (call.entry.load) await call.entry.load([stored]);
    const live = call.entry.read(stored);
    let wanted = await change.apply(live);
    await call.turns.rest();
    checkVersion(call, wanted, live);
    const unconditional = versionOf(wanted) === 0;
    const later = isPut(call) ? laterOnPut(wanted) : [];
    await complete(call, wanted, { live, change });
    await call.turns.rest();
    const { dryRun } = change;
    const asked = !change.admitted && needsAdmission(call);
    applyLimits(call, { operation: "UPDATE", object: wanted, oldObject: live, dryRun });
    // The webhooks have seen the Scale that was sent.
    if (asked && call.subresource !== "scale") wanted = await mutate(call, { wanted, live, dryRun, later });
    dropRepeatedOwners(wanted);
    countGeneration(call, wanted, live);
    if (change.tracked) keepTimes(wanted, live);
    await checkWrite(call, { operation: "UPDATE", object: wanted, oldObject: live, dryRun }, asked);
    const committed = await commitOrRemove(call, stored, { object: wanted, dryRun });
    if (committed) return committed;
    if (!unconditional) throw conflict(call.entry.resource, call.name);
    if (call.request.signal.aborted || performance.now() > end) throw timeout();
    await call.turns.restAfterRace();
  }
}

/** Checks an object that is to be stored: its rules, the validating policies and webhooks if `asked`, and quotas. */
export async function checkWrite(
  call: Call,
  write: AdmissionWrite & { readonly object: UnstructuredObject },
  asked: boolean,
): Promise<void> {
  const { object, oldObject } = write;
  checkGrant(call, object, oldObject);
  const checking = validateObject(call, object, oldObject);
  if (checking) await checking;
  await call.turns.rest();
  checkLimits(call, write);
  admitPods(call, object, oldObject);
  if (asked) await admitValidating(call, write);
  chargeQuotas(call, write);
}

/** Reports whether a request is a PUT. */
function isPut({ request }: Call): boolean {
  return request.method === "PUT";
}

interface Preparation {
  readonly live: UnstructuredObject;
  /** True for an apply, which does not drop a null. */
  readonly keepNulls: boolean;
}

function prepare(call: Call, wanted: UnstructuredObject, { live, keepNulls }: Preparation): void {
  const { strategy, resource } = call.entry;
  const { metadata } = wanted;
  carryMeta(metadata, live.metadata);
  if (resource.namespaced) metadata.namespace = call.namespace ?? "";
  else delete metadata.namespace;
  metadata.resourceVersion = live.metadata.resourceVersion ?? "";
  const keepsStatus =
    !writesStatus.has(call.subresource ?? "") && resource.subresources.some(({ name }) => name === "status");
  if (keepsStatus) copyField(wanted, live, "status");
  defaultObject(call, wanted, keepNulls);
  if (call.subresource === "status") strategy.prepareStatusUpdate?.(wanted, live, strategyContext(call.core));
}

const writesStatus = new Set(["status", "approval", "binding"]);

/** Completes the changed object with metadata, defaults, and the owners of its fields, which clients do not write. */
async function complete(
  call: Call,
  wanted: UnstructuredObject,
  { live, change }: { readonly live: UnstructuredObject; readonly change: Change },
): Promise<void> {
  prepare(call, wanted, { live, keepNulls: change.tracked === true });
  // The change of a Scale comes with its managers.
  if (!change.tracked && call.subresource !== "scale") await trackFields(call, wanted, live);
  settle(call, wanted, live);
}

/** Subresources that do not write the desired state. */
const ofTheSystem = new Set(["status", "finalize", "approval"]);

/** Adds the server's own fields to an update. No manager owns them, but one that sends an end owns what it sent. */
function settle(call: Call, wanted: UnstructuredObject, live: UnstructuredObject): void {
  const { entry, subresource = "" } = call;
  carryEnd(wanted.metadata, live.metadata);
  if (ofTheSystem.has(subresource)) return;
  entry.strategy.prepareUpdate?.(wanted, live, strategyContext(call.core));
}

/** Counts the generation after the webhooks, as their changes count, too. */
function countGeneration({ entry, subresource }: Call, wanted: UnstructuredObject, live: UnstructuredObject): void {
  // A status is not desired state, even if annotations come with it; nor is the node of a pod.
  if (subresource === "status" || subresource === "binding" || !desiresChange(entry.strategy, wanted, live)) return;
  wanted.metadata.generation = (live.metadata.generation ?? 0) + 1;
}

interface Wish {
  readonly wanted: UnstructuredObject;
  readonly live: UnstructuredObject;
  readonly dryRun: boolean;
  readonly later: LaterFields;
}

/** Runs the mutating webhooks. Their changes are defaulted, except for the server's metadata. */
async function mutate(call: Call, { wanted, live, dryRun, later }: Wish): Promise<UnstructuredObject> {
  const object = withoutLater(wanted, later);
  const changed = await admitMutating(call, { operation: "UPDATE", object, oldObject: live, dryRun });
  if (changed === undefined || changed === object) return wanted;
  settleAdmitted(call, changed);
  const { resourceVersion } = changed.metadata;
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion)
    throw conflict(call.entry.resource, call.name);
  prepare(call, changed, { live, keepNulls: true });
  settle(call, changed, live);
  return changed;
}

function desiresChange(strategy: Strategy, wanted: UnstructuredObject, live: UnstructuredObject): boolean {
  if (!strategy.generationOf) return false;
  return !equalJson(strategy.generationOf(wanted), strategy.generationOf(live));
}

/** Copies one field from another object; removes it if the other has none. */
function copyField(to: UnstructuredObject, from: UnstructuredObject, field: string): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = cloneJson(from[field]);
}

async function commitOrRemove(
  call: Call,
  stored: UnstructuredObject,
  { object: wanted, dryRun }: { object: UnstructuredObject; dryRun: boolean },
): Promise<UnstructuredObject | undefined> {
  const { entry, collection, core } = call;
  if (!isFinished(entry.strategy, wanted))
    return commit(call, keyOf(call), { previous: stored, object: wanted, dryRun });
  if (dryRun) return wanted;
  if (!core.store.remove(collection, keyOf(call), stored)) return undefined;
  noteChange(call, keyOf(call), stored, undefined);
  return wanted;
}

/**
 * Stores an object of the call's version, and returns it as it is read then; `undefined` if `previous` is no longer
 * stored. Nothing is written if the stored form stays the same. That of an unchanged object may be another one: it may
 * be of an older version or without later defaults. Unless a webhook converts, all of it happens in one turn of the event
 * loop. A dry run converts, too.
 */
export async function commit(
  call: Call,
  key: string,
  {
    previous,
    object,
    dryRun = false,
  }: { previous: UnstructuredObject | undefined; object: UnstructuredObject; dryRun?: boolean },
): Promise<UnstructuredObject | undefined> {
  const { core, entry, collection } = call;
  checkSize(object);
  const written = entry.write(object);
  const next = written instanceof Promise ? await written : written;
  if (previous && equalJson(next, previous)) return collection.get(key) === previous ? entry.read(previous) : undefined;
  const stored = dryRun ? next : core.store.commit(collection, key, { previous, object: next });
  if (!stored) return undefined;
  if (!dryRun) noteChange(call, key, previous, stored);
  await entry.load?.([stored]);
  return entry.read(stored);
}

/** The most bytes that etcd accepts in one request. */
const largest = 1.5 * 1024 * 1024;

/** Checks the object itself: a short request can make a large one, by copies in a patch, defaults or webhooks. */
function checkSize(object: UnstructuredObject): void {
  const text = JSON.stringify(object);
  if (text.length <= largest / 4) return;
  const size = Buffer.byteLength(text);
  if (size <= largest) return;
  throw bareError(`etcdserver: request is too large: ${size} bytes`);
}

/** Reports whether a terminating object has no finalizers left: the next write removes it. */
function isFinished(strategy: Strategy, object: UnstructuredObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || finalizers?.length || strategy.isHeldBack?.(object)) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Refuses a change of another object than the live one, or of another version of it. */
function checkVersion(call: Call, wanted: UnstructuredObject, live: UnstructuredObject): void {
  checkName(call, wanted);
  const { resourceVersion } = wanted.metadata;
  checkVersionText(resourceVersion);
  if (resourceVersion === undefined) return;
  if (versionOf(wanted) === 0) requireVersion(call, wanted);
  else if (resourceVersion !== live.metadata.resourceVersion) throw conflict(call.entry.resource, call.name);
}

/** Refuses a PUT whose uid differs from the object's. A patched uid is a change of an immutable field. */
export function requireUid(call: Call, { metadata: { uid } }: UnstructuredObject, live: UnstructuredObject): void {
  if (uid !== undefined && uid !== live.metadata.uid)
    throw unmetPrecondition(call.entry.resource, call.name, ["UID", uid, live.metadata.uid]);
}

/** Refuses a version that is not a number. */
export function checkVersionText(resourceVersion: string | undefined): void {
  if (resourceVersion && !/^\d+$/.test(resourceVersion))
    throw bareError(`strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`);
}

/** Requires a version for kinds that are never overwritten blindly. */
export function requireVersion({ entry, name, subresource }: Call, sent: UnstructuredObject): void {
  if (versionOf(sent) !== 0 || !entry.strategy.requiresVersion || subresource === "scale") return;
  const { group, plural } = entry.resource;
  const cause = invalidField("metadata.resourceVersion", 0, "must be specified for an update");
  throw invalidError({ group, kind: plural }, name, [cause]);
}
