import { apiVersionOf, metadataOnly, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { mergePatch } from "../../../client/patches.ts";
import { DependencyGraph, type GraphNode } from "./dependency-graph.ts";
import { foregroundFinalizer, orphanFinalizer, ownerVerdict, type OwnerState } from "./owner-verdict.ts";
import { recordEvent } from "../context/record-event.ts";
import type { ServedKinds } from "./served-kinds.ts";
import { reactionDelay, type SimulationContext } from "../context/simulation-context.ts";
import { watchKind } from "../context/watch-kind.ts";
import { WorkLoop } from "../context/work-loop.ts";

/** Deletes what has lost all its owners, and carries out foreground and orphan deletion. */
export async function runGarbageCollector(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const collector = new GarbageCollector(context, kinds);
  await collector.start(context.signal);
}

class GarbageCollector {
  readonly #context: SimulationContext;
  readonly #client: Client;
  readonly #kinds: ServedKinds;
  readonly #graph = new DependencyGraph();
  readonly #loop: WorkLoop;

  constructor(context: SimulationContext, kinds: ServedKinds) {
    this.#context = context;
    this.#client = context.clientFor("system:serviceaccount:kube-system:generic-garbage-collector");
    this.#kinds = kinds;
    this.#loop = new WorkLoop({
      clock: context.clock,
      delay: () => reactionDelay(context),
      step: (uid) => this.#collect(uid),
      onError: context.onError,
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    const watch = async (kind: Kind, signal: AbortSignal) => {
      await this.#watch(metadataOnly(kind), signal);
    };
    await Promise.all([this.#loop.start(signal), this.#kinds.forEach(isCollected, watch, signal)]);
  }

  #watch(kind: Kind, signal: AbortSignal): Promise<void> {
    const gone = (node: GraphNode) => {
      this.#graph.delete(node.uid);
      for (const { uid } of [...this.#graph.dependentsOf(node.uid), ...node.owners]) this.#loop.add(uid);
    };
    const here = (object: KubeObject) => this.#arrived(this.#graph.set(kind, object));
    return watchKind(
      this.#client,
      kind,
      {
        listed: (objects) => {
          const living = new Set(objects.map(({ metadata }) => metadata.uid ?? ""));
          this.#graph.retain(kind, living).forEach(gone);
          objects.forEach(here);
        },
        changed: (type, object) => (type === "DELETED" ? gone(this.#graph.set(kind, object)) : here(object)),
      },
      signal,
    );
  }

  /** Most objects have no owner and are not being deleted: nothing to look at. */
  #arrived(node: GraphNode): void {
    if (node.owners.length > 0 || isWaiting(node) || isOrphaning(node)) this.#loop.add(node.uid);
    if (!node.deleting) return;
    for (const { uid } of node.owners) this.#loop.add(uid);
    if (isWaiting(node)) for (const { uid } of this.#graph.dependentsOf(node.uid)) this.#loop.add(uid);
  }

  async #collect(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (!node) return;
    if (isOrphaning(node)) return this.#orphanDependents(node);
    if (isWaiting(node)) return this.#finishForeground(node);
    if (!node.deleting) await this.#judge(node);
  }

  async #judge(node: GraphNode): Promise<void> {
    const owners = [];
    for (const owner of node.owners) owners.push({ owner, state: await this.#stateOf(owner, node) });
    const hasDependents = this.#graph.dependentsOf(node.uid).length > 0;
    const verdict = ownerVerdict({ owners, finalizers: node.finalizers, hasDependents });
    if (verdict.type === "drop-owners") {
      const dropped = new Set(verdict.owners.map(({ uid }) => uid));
      await this.#rewrite(node, (metadata) => ({
        ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => !dropped.has(uid)),
      }));
    }
    if (verdict.type === "delete") await this.#delete(node, verdict.propagationPolicy);
  }

  /** The graph may not have seen the owner yet, so absence is confirmed by the server. */
  async #stateOf(owner: OwnerReference, dependent: GraphNode): Promise<OwnerState> {
    const known = this.#graph.get(owner.uid);
    if (known?.namespace && known.namespace !== dependent.namespace) return this.#foreign(owner, dependent);
    if (known) return isWaiting(known) ? "waiting" : "solid";
    const kind = this.#kinds.find(owner.apiVersion, owner.kind);
    // An unknown kind may come back with its CRD: nothing is deleted on a guess.
    if (!kind) return "solid";
    const namespace = kind.scope === "Namespaced" ? dependent.namespace : undefined;
    if (kind.scope === "Namespaced" && !namespace) return "solid";
    const live = await this.#client.getOrUndefined(metadataOnly(kind), { namespace, name: owner.name });
    return live?.metadata.uid === owner.uid ? "solid" : "absent";
  }

  /** Owners are of the same namespace or of none. What has no namespace itself is left alone all the same. */
  async #foreign({ apiVersion, kind, name, uid }: OwnerReference, dependent: GraphNode): Promise<OwnerState> {
    const { namespace } = dependent;
    if (!namespace) return "solid";
    const source = { context: this.#context, client: this.#client, component: "garbage-collector-controller" };
    const object = { metadata: { name: dependent.name, namespace, uid: dependent.uid } };
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
    await recordEvent(source, dependent.kind, object, { type: "Warning", reason: "OwnerRefInvalidNamespace", message });
    return "absent";
  }

  async #finishForeground(node: GraphNode): Promise<void> {
    const blocking = this.#graph
      .dependentsOf(node.uid)
      .filter(({ owners }) => owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion));
    if (blocking.length === 0) return this.#removeFinalizer(node, foregroundFinalizer);
    for (const { uid } of blocking) this.#loop.add(uid);
  }

  async #orphanDependents(node: GraphNode): Promise<void> {
    for (const dependent of this.#graph.dependentsOf(node.uid)) {
      await this.#rewrite(dependent, (metadata) => ({
        ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== node.uid),
      }));
    }
    await this.#removeFinalizer(node, orphanFinalizer);
  }

  #removeFinalizer(node: GraphNode, finalizer: string): Promise<void> {
    return this.#rewrite(node, (metadata) => ({
      finalizers: (metadata.finalizers ?? []).filter((name) => name !== finalizer),
    }));
  }

  /** Changes metadata of the live object; what is gone by now needs no change. */
  async #rewrite(node: GraphNode, change: (metadata: KubeObject["metadata"]) => object): Promise<void> {
    const { namespace, name, uid, kind } = node;
    const live = await this.#client.getOrUndefined(kind, { namespace, name });
    if (live?.metadata.uid !== uid) return;
    const { resourceVersion } = live.metadata;
    const patch = mergePatch({ metadata: { uid, resourceVersion, ...change(live.metadata) } });
    await this.#client.patch(kind, { namespace, name }, patch);
  }

  async #delete(node: GraphNode, propagationPolicy: "Orphan" | "Background" | "Foreground"): Promise<void> {
    const { namespace, name, uid, kind } = node;
    await this.#client
      .delete(kind, { namespace, name }, { propagationPolicy, preconditions: { uid } })
      .catch(ignoreNotFound);
  }
}

/** Events are many, short-lived and own nothing. */
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
