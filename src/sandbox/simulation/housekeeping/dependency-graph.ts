import type { KubeObject, OwnerReference } from "../../../apimachinery/meta.ts";
import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";

/** An object in the graph of the garbage collector. */
export interface GraphNode {
  readonly uid: string;
  /** `group/plural` */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
}

/** Owners and dependents by UID. */
export class DependencyGraph {
  private readonly nodes = new Map<string, GraphNode>();
  private readonly dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.nodes.get(uid);
  }

  dependentsOf(uid: string): GraphNode[] {
    return [...(this.dependents.get(uid) ?? [])].flatMap((dependent) => this.nodes.get(dependent) ?? []);
  }

  /** Adds an object, or updates it. */
  set(resource: string, object: KubeObject): GraphNode {
    const node = graphNode(resource, object);
    this.unlink(node.uid);
    this.nodes.set(node.uid, node);
    for (const owner of node.owners) {
      const dependents = this.dependents.get(owner.uid);
      if (dependents) dependents.add(node.uid);
      else this.dependents.set(owner.uid, new Set([node.uid]));
    }
    return node;
  }

  /** Removes an object; its dependents stay. */
  delete(uid: string): void {
    this.unlink(uid);
    this.nodes.delete(uid);
  }

  private unlink(uid: string): void {
    for (const owner of this.nodes.get(uid)?.owners ?? []) {
      const dependents = this.dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.dependents.delete(owner.uid);
    }
  }
}

function graphNode(resource: string, { metadata }: KubeObject): GraphNode {
  return {
    uid: metadata.uid ?? "",
    resource,
    namespace: metadata.namespace,
    name: metadata.name ?? "",
    owners: metadata.ownerReferences ?? [],
    finalizers: metadata.finalizers ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
  };
}

/** The state of an owner: it exists, it does not, or it waits until its dependents are deleted. */
export type OwnerState = "solid" | "absent" | "waiting";

/** The action of the garbage collector on a dependent. */
export type OwnerVerdict =
  | { readonly type: "keep" }
  | { readonly type: "drop-owners"; readonly owners: readonly OwnerReference[] }
  | { readonly type: "delete"; readonly propagationPolicy: "Orphan" | "Background" | "Foreground" };

interface Dependent {
  readonly owners: readonly { readonly owner: OwnerReference; readonly state: OwnerState }[];
  readonly finalizers: readonly string[];
  readonly hasDependents: boolean;
}

/** Decides about an object: it is kept as long as one owner exists, without its references to others. */
export function ownerVerdict({ owners, finalizers, hasDependents }: Dependent): OwnerVerdict {
  if (owners.length === 0) return { type: "keep" };
  const leaving = owners.filter(({ state }) => state !== "solid");
  if (leaving.length === 0) return { type: "keep" };
  if (leaving.length < owners.length) return { type: "drop-owners", owners: leaving.map(({ owner }) => owner) };
  const waiting = leaving.some(({ state }) => state === "waiting");
  if (waiting && hasDependents) return { type: "delete", propagationPolicy: "Foreground" };
  if (finalizers.includes(orphanFinalizer)) return { type: "delete", propagationPolicy: "Orphan" };
  return { type: "delete", propagationPolicy: finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background" };
}
