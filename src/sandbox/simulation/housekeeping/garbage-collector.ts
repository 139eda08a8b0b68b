import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import { apiVersionOf, metadataOnly, type Kind } from "../../../apimachinery/kind.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { mergePatch } from "../../../client/patches.ts";
import { Reflector, type ReflectorTarget } from "../../../runtime/cache/reflector.ts";
import { Latch } from "../../../runtime/latch.ts";
import { DependencyGraph, type GraphNode, ownerVerdict, type OwnerState } from "./dependency-graph.ts";
import type { ServedKinds } from "./served-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PacedQueue, runController } from "../context/run-controller.ts";

/** Hears of each object that is gone; those without a namespace have an empty one. */
export type GoneListener = (kind: Kind, namespace: string) => void;

/** The time that a kind has to list its objects; one whose conversion fails never does. */
const listingMs = 30_000;

/** Deletes objects whose owners no longer exist, and carries out foreground and orphan deletion. */
export async function runGarbageCollector(
  context: SimulationContext,
  kinds: ServedKinds,
  onGone: GoneListener,
): Promise<void> {
  const collector = new GarbageCollector(context, kinds, onGone);
  await collector.start(context.signal);
}

class GarbageCollector {
  private readonly context: SimulationContext;
  private readonly client: Client;
  private readonly kinds: ServedKinds;
  private readonly graph = new DependencyGraph();
  private readonly queue: PacedQueue<string>;
  private readonly onGone: GoneListener;
  /** The kinds whose objects are not all known yet: an owner may have dependents among them. */
  private readonly unlisted = new Set<Latch>();

  constructor(context: SimulationContext, kinds: ServedKinds, onGone: GoneListener) {
    this.context = context;
    this.onGone = onGone;
    this.client = context.clientFor("system:serviceaccount:kube-system:generic-garbage-collector");
    this.kinds = kinds;
    this.queue = new PacedQueue(context);
  }

  async start(signal: AbortSignal): Promise<void> {
    const { log, clock } = this.context;
    const mirror = async (served: Kind, signal: AbortSignal) => {
      const kind = metadataOnly(served);
      const latch = new Latch();
      this.unlisted.add(latch);
      const listed = (): void => {
        cancel();
        this.unlisted.delete(latch);
        latch.open();
      };
      const cancel = clock.after(listingMs, () => listed());
      const target = this.target(kind, listed);
      await new Reflector({ client: this.client, kind, stripManagedFields: true, target, log, clock }).run(signal);
      listed();
    };
    await Promise.all([
      runController(this.context, { queue: this.queue, step: (uid) => this.collect(uid) }),
      this.kinds.forEach(isCollected, mirror, signal),
    ]);
  }

  /** Returns the target of a kind's watch. The graph is its only store. */
  private target(kind: Kind, onListed: () => void): ReflectorTarget<KubeObject> {
    const gone = (node: GraphNode) => {
      this.graph.delete(node.uid);
      this.onGone(kind, node.namespace ?? "");
      for (const { uid } of [...this.graph.dependentsOf(node.uid), ...node.owners]) this.queue.add(uid);
    };
    let listed = new Set<string>();
    return {
      begin: () => {
        listed = new Set();
      },
      change: ({ type, object }) => {
        const node = this.graph.set(kind, object);
        listed.add(node.uid);
        if (type === "DELETED") gone(node);
        else this.arrived(node);
      },
      complete: () => {
        this.graph.retain(kind, listed).forEach(gone);
        onListed();
      },
    };
  }

  /** Enqueues an object, its owners or its dependents. Most objects have no owner and are not being deleted. */
  private arrived(node: GraphNode): void {
    if (node.owners.length > 0 || isWaiting(node) || isOrphaning(node)) this.queue.add(node.uid);
    if (!node.deleting) return;
    for (const { uid } of node.owners) this.queue.add(uid);
    if (isWaiting(node)) for (const { uid } of this.graph.dependentsOf(node.uid)) this.queue.add(uid);
  }

  private async collect(uid: string): Promise<void> {
    for (const latch of this.unlisted) await latch.wait(this.context.signal);
    const node = this.graph.get(uid);
    if (!node) return;
    if (isOrphaning(node)) return this.orphanDependents(node);
    if (isWaiting(node)) return this.finishForeground(node);
    if (!node.deleting) await this.judge(node);
  }

  private async judge(node: GraphNode): Promise<void> {
    const owners = [];
    for (const owner of node.owners) owners.push({ owner, state: await this.stateOf(owner, node) });
    const dependents = this.graph.dependentsOf(node.uid);
    const verdict = ownerVerdict({ owners, finalizers: node.finalizers, hasDependents: dependents.length > 0 });
    if (verdict.type === "drop-owners") {
      const dropped = new Set(verdict.owners.map(({ uid }) => uid));
      await this.rewrite(node, (metadata) => ({
        ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => !dropped.has(uid)),
      }));
    }
    if (verdict.type !== "delete") return;
    const isInCircle = owners.some(({ state }) => state === "waiting") && dependents.some(isWaiting);
    if (isInCircle) await this.unblockOwners(node);
    await this.delete(node, verdict.propagationPolicy);
  }

  /** Lets the owners of an object go before it: in a circle of owners, each would wait for the next. */
  private unblockOwners(node: GraphNode): Promise<void> {
    return this.rewrite(node, (metadata) => ({
      ownerReferences: metadata.ownerReferences?.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    }));
  }

  /** Returns the state of an owner. The graph may not have it yet, so that the server confirms its absence. */
  private async stateOf(owner: OwnerReference, dependent: GraphNode): Promise<OwnerState> {
    const known = this.graph.get(owner.uid);
    if (known?.namespace && known.namespace !== dependent.namespace) return this.foreign(owner, dependent);
    if (known) return isWaiting(known) ? "waiting" : "solid";
    const kind = this.kinds.find(owner.apiVersion, owner.kind);
    // The CRD of an unknown kind may be created again.
    if (!kind) return "solid";
    const namespace = kind.scope === "Namespaced" ? dependent.namespace : undefined;
    if (kind.scope === "Namespaced" && !namespace) return "solid";
    const live = await this.client.getOrUndefined(metadataOnly(kind), { namespace, name: owner.name });
    return live?.metadata.uid === owner.uid ? "solid" : "absent";
  }

  /**
   * Records an event about an owner in another namespace, which does not count as one. Cluster-scoped objects are kept.
   */
  private foreign({ apiVersion, kind, name, uid }: OwnerReference, dependent: GraphNode): OwnerState {
    const { namespace } = dependent;
    if (!namespace) return "solid";
    const recorder = this.context.recorder(this.client, "garbage-collector-controller");
    const metadata = { name: dependent.name, namespace, uid: dependent.uid };
    const object = { apiVersion: apiVersionOf(dependent.kind), kind: dependent.kind.kind, metadata };
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
    recorder.event(object, "Warning", "OwnerRefInvalidNamespace", message);
    return "absent";
  }

  private async finishForeground(node: GraphNode): Promise<void> {
    const blocking = this.graph
      .dependentsOf(node.uid)
      .filter(({ owners }) => owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion));
    if (blocking.length === 0) return this.removeFinalizer(node, foregroundFinalizer);
    for (const { uid } of blocking) this.queue.add(uid);
  }

  private async orphanDependents(node: GraphNode): Promise<void> {
    for (const dependent of this.graph.dependentsOf(node.uid)) {
      await this.rewrite(dependent, (metadata) => ({
        ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== node.uid),
      }));
    }
    await this.removeFinalizer(node, orphanFinalizer);
  }

  private removeFinalizer(node: GraphNode, finalizer: string): Promise<void> {
    return this.rewrite(node, (metadata) => ({
      finalizers: (metadata.finalizers ?? []).filter((name) => name !== finalizer),
    }));
  }

  /** Patches the metadata of an object, if it still exists. */
  private async rewrite(node: GraphNode, change: (metadata: KubeObject["metadata"]) => object): Promise<void> {
    const { namespace, name, uid, kind } = node;
    const live = await this.client.getOrUndefined(kind, { namespace, name });
    if (live?.metadata.uid !== uid) return;
    const { resourceVersion } = live.metadata;
    const patch = mergePatch({ metadata: { uid, resourceVersion, ...change(live.metadata) } });
    await this.client.patch(kind, { namespace, name }, patch);
  }

  /** Deletes an object, unless it has other owners than those that were judged: its last change may not be seen yet. */
  private async delete(node: GraphNode, propagationPolicy: "Orphan" | "Background" | "Foreground"): Promise<void> {
    const { namespace, name, uid, kind } = node;
    const live = await this.client.getOrUndefined(kind, { namespace, name });
    if (live?.metadata.uid !== uid || !equalJson(uidsOf(live.metadata.ownerReferences), uidsOf(node.owners))) return;
    await this.client
      .delete(kind, { namespace, name }, { propagationPolicy, preconditions: { uid } })
      .catch(ignoreNotFound);
  }
}

function uidsOf(owners: readonly OwnerReference[] = []): string[] {
  return owners.map(({ uid }) => uid);
}

/** Reports whether a kind is collected. Events are many, expire soon and own nothing. */
function isCollected(kind: Kind, verbs: readonly string[]): boolean {
  const able = ["list", "watch", "delete"].every((verb) => verbs.includes(verb));
  return able && !(kind.kind === "Event" && ["v1", "events.k8s.io/v1"].includes(apiVersionOf(kind)));
}

function isWaiting({ deleting, finalizers }: GraphNode): boolean {
  return deleting && finalizers.includes(foregroundFinalizer);
}

function isOrphaning({ deleting, finalizers }: GraphNode): boolean {
  return deleting && finalizers.includes(orphanFinalizer);
}
