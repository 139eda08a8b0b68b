import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isApiError } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { referencePatience } from "../../check/patience.ts";
import type { Surroundings } from "../../check/world/host.ts";
import type { RunRecord } from "../../check/world/run-record.ts";
import type { Subject } from "../../check/world/subject.ts";
import { World } from "../../check/world/world.ts";
import { untilRest } from "../../check/world/rest.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client } from "../../client/client.ts";
import { kindsOfCrd } from "../../client/discovery/crd-kinds.ts";
import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { completeRoles, defaultRoles } from "../../sandbox/complete-roles.ts";
import type { Sandbox } from "../../sandbox/start-sandbox.ts";
import { refusedObjects, type Refusal } from "./refused-objects.ts";
import { StoreWatch, type ChangedObject } from "./store-watch.ts";

export interface RehearsalOptions extends Pick<Surroundings, "forbiddenHint"> {
  /** The objects of the copy. */
  readonly snapshot: NonNullable<Surroundings["restore"]>;
  readonly subject: Subject;
  /** The manifests of the new version; none for the version that is deployed. */
  readonly manifests: readonly Manifest[];
  /** Lets controllers and a node act on what the operator does. */
  readonly simulate: boolean;
  /** The time in which the operator must come to rest. */
  readonly limitMs: number;
  /** Sees all that happens on the copy; for the window. */
  readonly observer?: Pick<Surroundings, "onAudit" | "onChange">;
  readonly signal: AbortSignal;
}

/** What a version has done with a copy. */
export interface Rehearsal {
  readonly changed: readonly ChangedObject[];
  /** All objects at the end. */
  readonly objects: ReadonlyMap<string, UnstructuredObject>;
  readonly refusedManifests: readonly Refusal[];
  /** Objects of the cluster that the newer schema or a webhook refuses. */
  readonly refusedObjects: readonly Refusal[];
  readonly record: RunRecord;
  /** False if the operator did not come to rest in time. */
  readonly isQuiet: boolean;
}

const startLimitMs = 30_000;
/** An operator that only asks, and changes nothing for this long, rests. */
const idleMs = 10_000;

/** Runs an operator on a copy until it rests. `onEnd` gets what it has done while the copy is still served. */
export async function rehearse(
  options: RehearsalOptions,
  onEnd: (rehearsal: Rehearsal, sandbox: Sandbox) => Promise<void> = async () => {},
): Promise<Rehearsal> {
  const { snapshot, subject, simulate, forbiddenHint, observer, signal } = options;
  const watch = new StoreWatch();
  const world = new World(withoutObjects(subject), undefined, undefined, {
    // A server takes the objects out.
    restore: completeRoles({ ...snapshot, objects: { ...snapshot.objects } }, defaultRoles(timestamp(Date.now()))),
    simulate,
    ...(forbiddenHint && { forbiddenHint }),
    ...(observer?.onAudit && { onAudit: observer.onAudit }),
    onChange: (resource, event) => {
      watch.stored(resource, event);
      observer?.onChange?.(resource, event);
    },
  });
  try {
    const sandbox = await world.open();
    watch.begin();
    const refusedManifests = await applyAll(world.client, options);
    // The server, in this process, serves a changed CRD a turn of the event loop later.
    await nextTurn();
    await rebaseAll(world.client, watch, subject);
    world.startOperator();
    const hasBegun = await untilBegun(world, subject, signal);
    // Without a manifest that is refused, it may have nothing to watch.
    if (!hasBegun && refusedManifests.length === 0)
      throw world.traffic.watched.size > 0 ? world.unservedError() : world.silenceError();
    if (!hasBegun) world.noteSilence();
    const isQuiet = hasBegun && (await untilIdle(world, options));
    const changed = watch.changed(world.traffic.requests);
    const objects = new Map(watch.objects);
    const { record } = world;
    const refused = record.breakdowns.length > 0 ? [] : await refusedObjects(world.client, subject.crds, changed);
    const rehearsal = { changed, objects, refusedManifests, refusedObjects: refused, record, isQuiet };
    await onEnd(rehearsal, sandbox);
    return rehearsal;
  } finally {
    await world.close();
  }
}

/** Returns how the operator runs: a copy has its objects already, or gets them one by one. */
function withoutObjects({ command, account, webhooks }: Subject): Subject {
  return { command, account, crds: [], before: [], webhooks: webhooks && { ...webhooks, configurations: [] } };
}

/** Applies each manifest on its own: one that is refused says nothing about the others. */
async function applyAll(client: Client, { manifests, subject, signal }: RehearsalOptions): Promise<Refusal[]> {
  const namespace = subject.account?.namespace ?? "default";
  const refused: Refusal[] = [];
  for (const manifest of manifests.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    signal.throwIfAborted();
    try {
      await applyManifests({ client, namespace }, [manifest]);
    } catch (error) {
      if (!(error instanceof TsopError) || !/^TSOP_(MANIFEST|KIND|NAMESPACE|CRD)_/.test(error.code)) throw error;
      const { kind, metadata } = manifest.object;
      const { message } = isApiError(error.cause) ? error.cause : error;
      refused.push({ object: `${kind} ${metadata.name ?? metadata.generateName}`, reason: message });
    }
  }
  return refused;
}

/** Reads custom resources as the newer CRDs show them: what their defaults add is not the operator's work. */
async function rebaseAll(client: Client, watch: StoreWatch, { crds }: Subject): Promise<void> {
  for (const kind of crds.flatMap((crd) => kindsOfCrd(crd).slice(-1))) {
    // Before the operator runs, nobody converts objects of other versions; and a CRD may have been refused.
    const { items } = await client.list(kind).catch((error: unknown) => {
      if (isApiError(error) || isKindNotServed(error)) return { items: [] };
      throw error;
    });
    for (const object of items as UnstructuredObject[]) {
      const { namespace, name } = object.metadata;
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      watch.rebase(`${kind.group}/${kind.plural} ${key}`, object);
    }
  }
}

/** CRDs and namespaces come first; webhooks last, as they may concern the other objects. */
function rankOf({ object }: Manifest): number {
  if (object.kind === "CustomResourceDefinition") return 0;
  if (object.kind === "Namespace") return 1;
  return object.apiVersion?.startsWith("admissionregistration.k8s.io/") ? 3 : 2;
}

/** Waits until the operator watches a kind of its own, if it has any, and serves its webhooks. */
async function untilBegun(world: World, { crds }: Subject, signal: AbortSignal): Promise<boolean> {
  const groups = crds.map(({ spec }) => (spec as { group: string }).group);
  const isOwn = (path: string): boolean => groups.length === 0 || groups.some((group) => path.startsWith(`${group}/`));
  const end = world.now() + startLimitMs;
  while (![...world.traffic.watched].some(isOwn)) {
    signal.throwIfAborted();
    if (world.record.breakdowns.length > 0 || world.now() > end) return false;
    await wait(10);
  }
  return world.untilServing();
}

/** Waits until the operator rests: without a change and without a question, unless it asks for ever. */
function untilIdle(world: World, { limitMs, signal }: RehearsalOptions): Promise<boolean> {
  const { traffic, log } = world;
  const from = world.now();
  const watched = { traffic, log, now: () => world.now(), state: () => new Map<string, never>() };
  return untilRest(watched, { ...referencePatience, limitMs, mostWrites: Infinity }, () => {
    signal.throwIfAborted();
    const now = world.now();
    if (world.operator?.hasEnded || now - traffic.lastRequest >= referencePatience.quietMs) return true;
    return now - Math.max(from, traffic.lastChange) >= idleMs;
  });
}
