import { equalJson } from "../../../apimachinery/equal.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import { isKindNotServed } from "../../../client/calls/api-caller.ts";
import { objectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { ServedKinds } from "./served-kinds.ts";
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import { reactionDelay, type SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { NamespaceKind, type Namespace, type WorkloadCondition } from "../context/simulated-kinds.ts";
import { withCondition } from "../context/workload-conditions.ts";

/** Empties a namespace that is being deleted, then removes its finalizer. */
export function runNamespaces(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:namespace-controller");
  // kubectl deletes a namespace first and then the objects in it, which are expected to exist: a real controller waits
  // for five seconds. At the usual pace this one does, too.
  const grace = context.pace.max * 10;
  return runController(context, {
    queue: new PacedQueue(context, () => grace),
    // An earlier change must not begin the wait: of two delays, the queue keeps the shorter one.
    sources: [watch(context, NamespaceKind, enqueueDeleted)],
    step: async ({ name }) => {
      const namespace = await client.getOrUndefined(NamespaceKind, { name });
      if (!namespace?.metadata.deletionTimestamp || !namespace.spec?.finalizers?.includes("kubernetes")) return;
      const now = timestamp(context.clock.now());
      const namespaced = kinds.having("list", "deletecollection").filter(({ scope }) => scope === "Namespaced");
      // Pods may need the other objects until they end. The conditions do not mention pods that are left.
      const pods = await emptyNamespace(client, name, namespaced.filter(isPod));
      const others = namespaced.filter((kind) => !isPod(kind));
      const left = pods.length > 0 ? [] : await emptyNamespace(client, name, others);
      const reported = await report(client, { namespace, left, now });
      if (pods.length + left.length > 0) return reactionDelay(context);
      const finalizers = namespace.spec.finalizers.filter((finalizer) => finalizer !== "kubernetes");
      await client.subResource("finalize").update(NamespaceKind, { ...reported, spec: { finalizers } });
    },
  });
}

function isPod({ group, plural }: Kind): boolean {
  return group === "" && plural === "pods";
}

const enqueueDeleted = enqueueFromMap((namespace) =>
  namespace.metadata.deletionTimestamp ? [objectKey(namespace)] : [],
);

/** The remaining objects of one kind, and their finalizers. */
interface Leftover {
  readonly kind: Kind;
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

async function emptyNamespace(client: Client, namespace: string, kinds: readonly Kind[]): Promise<Leftover[]> {
  const left: Leftover[] = [];
  for (const kind of kinds) {
    const leftover = await emptyKind(client, namespace, kind).catch((error: unknown) => {
      // The CRD was deleted, and its objects with it.
      if (isKindNotServed(error)) return undefined;
      throw error;
    });
    if (leftover) left.push(leftover);
  }
  return left;
}

async function emptyKind(client: Client, namespace: string, kind: Kind): Promise<Leftover | undefined> {
  const before = await client.list(kind, { namespace, limit: 1 });
  if (before.items.length === 0) return undefined;
  await client.deleteAllOf(kind, { namespace, propagationPolicy: "Background" });
  const { items } = await client.list(kind, { namespace });
  if (items.length === 0) return undefined;
  const finalizers = new Map<string, number>();
  for (const finalizer of items.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { kind, count: items.length, finalizers };
}

interface Report {
  readonly namespace: Namespace;
  readonly left: readonly Leftover[];
  readonly now: string;
}

async function report(client: Client, { namespace, left, now }: Report): Promise<Namespace> {
  const before = namespace.status?.conditions ?? [];
  const changes = [...unaffectedConditions, ...remainingConditions(left)];
  const conditions = changes.reduce<WorkloadCondition[]>((all, change) => withCondition(all, change, now), before);
  if (equalJson(conditions, before)) return namespace;
  return client.status.update(NamespaceKind, { ...namespace, status: { ...namespace.status, conditions } });
}

/** Conditions that only fail on clusters with aggregated API servers. */
const unaffectedConditions = [
  condition("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered"),
  condition("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions"),
  condition("NamespaceDeletionContentFailure", false, "ContentDeleted"),
] as const;

function remainingConditions(left: readonly Leftover[]): WorkloadCondition[] {
  const resources = left.map(({ kind, count }) => `${kind.plural}.${kind.group} has ${count} resource instances`);
  const finalizers = new Map<string, number>();
  for (const [name, count] of left.flatMap((leftover) => [...leftover.finalizers])) {
    finalizers.set(name, (finalizers.get(name) ?? 0) + count);
  }
  const held = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
  return [
    left.length > 0
      ? condition("NamespaceContentRemaining", true, "SomeResourcesRemain", resources)
      : condition("NamespaceContentRemaining", false, "ContentRemoved"),
    held.length > 0
      ? condition("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain", held)
      : condition("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers"),
  ];
}

function condition(
  type: string,
  isTrue: boolean,
  reason: string,
  remaining: readonly string[] = [],
): WorkloadCondition {
  const message = isTrue ? `These remain: ${remaining.toSorted().join(", ")}` : "Nothing remains";
  return { type, status: isTrue ? "True" : "False", reason, message };
}
