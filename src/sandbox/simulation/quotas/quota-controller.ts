import { isBeyondQuotas, evaluatorOf, hasEnded } from "../../../apiserver/admission/quota/evaluator-of.ts";
import { usageOfAll } from "../../../apiserver/admission/quota/check-quotas.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import { objectKey, type ObjectKey, type UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  addResources,
  formatResources,
  parseResources,
  pickResources,
  type ResourceList,
} from "../../../apimachinery/resource-list.ts";
import type { Client } from "../../../client/client.ts";
import type { EventHandler } from "../../../runtime/controller/handlers.ts";
import type { Source } from "../../../runtime/controller/sources.ts";
import { untilAborted } from "../../../client/transport/abortable.ts";
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, ClaimKind, ResourceQuotaKind } from "../context/simulated-kinds.ts";
import type { ServedKinds } from "../housekeeping/served-kinds.ts";
import type { ResourceQuota } from "../../../k8s/core/v1.ts";

/** Time after which everything is counted again, for objects that were admitted and then not stored. */
const resyncMs = 5 * 60_000;

/** Writes the status of quotas: their limits and the usage, which the server only raises. */
export class QuotaController {
  private readonly context: SimulationContext;
  private readonly kinds: ServedKinds;
  private readonly client: Client;
  /** The quotas of all namespaces, by namespace and name. */
  private readonly known = new Map<string, ResourceQuota>();
  private readonly queue: PacedQueue;

  constructor(context: SimulationContext, kinds: ServedKinds) {
    this.context = context;
    this.kinds = kinds;
    this.client = context.clientFor("system:serviceaccount:kube-system:resourcequota-controller");
    this.queue = new PacedQueue(context);
  }

  async run(): Promise<void> {
    const { signal } = this.context;
    const appeared = async (kind: Kind, until: AbortSignal): Promise<void> => {
      this.recount(kind);
      await untilAborted(until);
    };
    await Promise.all([
      runController(this.context, { queue: this.queue, sources: this.sources(), step: (key) => this.count(key) }),
      this.kinds.forEach(isCounted, appeared, signal),
    ]);
  }

  /** Counts the usage again that a deleted object of a kind may have had, in one namespace or in all. */
  recount(kind: Kind, namespace?: string): void {
    if (this.known.size === 0) return;
    const evaluator = evaluatorOf(kind);
    for (const { metadata, spec } of this.known.values()) {
      const isThere = namespace === undefined || metadata.namespace === namespace;
      const isCounting = Object.keys(spec?.hard ?? {}).some((name) => evaluator.tracks(name));
      if (isThere && isCounting) this.queue.add(objectKey({ metadata }));
    }
  }

  private sources(): Source[] {
    const { context } = this;
    const whenChanged = (kind: Kind, isLess: (old: UnstructuredObject, now: UnstructuredObject) => boolean): Source => {
      const update: EventHandler["update"] = ({ objectOld, objectNew }) => {
        const { namespace = "" } = objectNew.metadata;
        if (isLess(objectOld as UnstructuredObject, objectNew as UnstructuredObject)) this.recount(kind, namespace);
      };
      return watch(context, kind, { update });
    };
    const ended = (pod: UnstructuredObject): boolean => hasEnded(pod, context.clock.now());
    return [
      watch(context, ResourceQuotaKind, this.quotaHandler()),
      whenChanged(PodKind, (old, now) => ended(old) !== ended(now)),
      whenChanged(ClaimKind, () => true),
    ];
  }

  private quotaHandler(): EventHandler<ResourceQuota> {
    return {
      create: ({ object }, enqueue) => {
        this.known.set(idOf(object), object);
        enqueue(objectKey(object), 0);
      },
      update: ({ objectOld, objectNew }, enqueue) => {
        this.known.set(idOf(objectNew), objectNew);
        if (!equalJson(objectOld.spec?.hard, objectNew.spec?.hard)) enqueue(objectKey(objectNew), 0);
      },
      delete: ({ object }) => void this.known.delete(idOf(object)),
    };
  }

  private async count(key: ObjectKey): Promise<number | void> {
    const quota = await this.client.getOrUndefined(ResourceQuotaKind, key);
    if (!quota) return;
    const hard = quota.spec?.hard ?? {};
    const before = parseResources(quota.status?.used);
    const used = new Map([...before, ...(await this.usageOf(quota))]);
    const status = {
      ...(Object.keys(hard).length > 0 && { hard }),
      ...(used.size > 0 && { used: formatResources(pickResources(used, (name) => Object.hasOwn(hard, name))) }),
    };
    if (!equalJson(status, quota.status)) await this.client.status.update(ResourceQuotaKind, { ...quota, status });
    return resyncMs;
  }

  private async usageOf(quota: ResourceQuota): Promise<ResourceList> {
    const { namespace } = quota.metadata;
    const now = this.context.clock.now();
    const names = Object.keys(quota.spec?.hard ?? {});
    let usage: ResourceList = new Map();
    for (const kind of this.kinds.having(...verbs)) {
      const evaluator = evaluatorOf(kind);
      if (!isCounted(kind) || !names.some((name) => evaluator.tracks(name))) continue;
      const { items } = await this.client.list(kind as Kind<UnstructuredObject>, { namespace });
      usage = addResources(usage, usageOfAll({ ...quota }, evaluator, { objects: items, now }));
    }
    return usage;
  }
}

/** The verbs of kinds that quotas count. */
const verbs = ["create", "list", "watch", "delete"];

function isCounted(kind: Kind): boolean {
  return kind.scope === "Namespaced" && !isBeyondQuotas(kind);
}

function idOf({ metadata: { namespace, name } }: ResourceQuota): string {
  return `${namespace}/${name}`;
}
