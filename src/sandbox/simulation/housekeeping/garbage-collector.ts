import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import { apiVersionOf, metadataOnly, type Kind } from "../../../apimachinery/kind.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/meta.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import type { Store, StoreListener } from "../../../apiserver/storage/store.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { mergePatch } from "../../../client/patches.ts";
import { DependencyGraph, type GraphNode, ownerVerdict, type OwnerState } from "./dependency-graph.ts";
import type { ServedKinds } from "./served-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PacedQueue, runController } from "../context/run-controller.ts";

/** Deletes objects whose owners no longer exist, and carries out foreground and orphan deletion. */
export function runGarbageCollector(context: SimulationContext, kinds: ServedKinds, store: Store): Promise<void> {
  const collector = new GarbageCollector(context, kinds);
  store.follow(collector.follow);
  return collector.run();
}

/** Events are many, expire soon and own nothing. */
const uncollected = new Set(["/events", "events.k8s.io/events"]);

class GarbageCollector {
  private readonly context: SimulationContext;
  private readonly client: Client;
  private readonly kinds: ServedKinds;
  private readonly graph = new DependencyGraph();
  private readonly queue: PacedQueue<string>;

  constructor(context: SimulationContext, kinds: ServedKinds) {
    this.context = context;
    this.client = context.clientFor("system:serviceaccount:kube-system:generic-garbage-collector");
    this.kinds = kinds;
    this.queue = new PacedQueue(context);
  }

  run(): Promise<void> {
    return runController(this.context, { queue: this.queue, step: (uid) => this.collect(uid) });
  }

  readonly follow: StoreListener = (resource, { type, object }) => {
    if (uncollected.has(resource)) return;
    const node = this.graph.set(resource, object);
    if (type !== "DELETED") return this.arrived(node);
    this.graph.delete(node.uid);
    for (const { uid } of [...this.graph.dependentsOf(node.uid), ...node.owners]) this.queue.add(uid);
  };

  /** Enqueues an object, its owners or its dependents. Most objects have no owner and are not being deleted. */
  private arrived(node: GraphNode): void {
    if (node.owners.length > 0 || isWaiting(node) || isOrphaning(node)) this.queue.add(node.uid);
    if (!node.deleting) return;
    for (const { uid } of node.owners) this.queue.add(uid);
    if (isWaiting(node)) for (const { uid } of this.graph.dependentsOf(node.uid)) this.queue.add(uid);
  }

  private async collect(uid: string): Promise<void> {
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

  /** Returns the state of an owner. The graph lacks objects of other servers, which the server asks for. */
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
    const own = this.kindOf(dependent);
    const object = { apiVersion: apiVersionOf(own), kind: own.kind, metadata };
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
    const { namespace, name, uid } = node;
    const kind = this.kindOf(node);
    const live = await this.client.getOrUndefined(kind, { namespace, name });
    if (live?.metadata.uid !== uid) return;
    const { resourceVersion } = live.metadata;
    const patch = mergePatch({ metadata: { uid, resourceVersion, ...change(live.metadata) } });
    await this.client.patch(kind, { namespace, name }, patch);
  }

  /** Deletes an object, unless it has other owners by now than those that were judged. */
  private async delete(node: GraphNode, propagationPolicy: "Orphan" | "Background" | "Foreground"): Promise<void> {
    const { namespace, name, uid } = node;
    if (!equalJson(uidsOf(this.graph.get(uid)?.owners), uidsOf(node.owners))) return;
    await this.client
      .delete(this.kindOf(node), { namespace, name }, { propagationPolicy, preconditions: { uid } })
      .catch(ignoreNotFound);
  }

  /** Returns the kind of an object, by its metadata alone. It may be served a moment later than its first object is stored. */
  private kindOf({ resource }: GraphNode): Kind {
    const kind = this.kinds.having().find(({ group, plural }) => `${group}/${plural}` === resource);
    if (!kind) throw new ApiError(failure("NotFound", `no kind is served for ${resource}`));
    return metadataOnly(kind);
  }
}

function uidsOf(owners: readonly OwnerReference[] = []): string[] {
  return owners.map(({ uid }) => uid);
}

function isWaiting({ deleting, finalizers }: GraphNode): boolean {
  return deleting && finalizers.includes(foregroundFinalizer);
}

function isOrphaning({ deleting, finalizers }: GraphNode): boolean {
  return deleting && finalizers.includes(orphanFinalizer);
}
