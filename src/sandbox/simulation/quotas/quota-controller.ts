import { isBeyondQuotas, evaluatorOf, hasEnded } from "../../../apiserver/admission/quota/evaluator-of.ts";
import { usageOfAll } from "../../../apiserver/admission/quota/check-quotas.ts";
import type { Store, StoreListener } from "../../../apiserver/storage/store.ts";
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
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { ResourceQuotaKind } from "../context/simulated-kinds.ts";
import type { ServedKinds } from "../housekeeping/served-kinds.ts";
import type { ResourceQuota } from "../../../k8s/core/v1.ts";

/** Time after which everything is counted again, for objects that were admitted and then not stored. */
const resyncMs = 5 * 60_000;

/** Writes the status of quotas: their limits and the usage, which the server only raises. */
export function runQuotas(context: SimulationContext, kinds: ServedKinds, store: Store): Promise<void> {
  const controller = new QuotaController(context, kinds);
  store.follow(controller.follow);
  return controller.run();
}

class QuotaController {
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

  run(): Promise<void> {
    const { context, queue } = this;
    this.kinds.onChange = () => this.recount();
    const sources = [watch(context, ResourceQuotaKind, this.quotaHandler())];
    return runController(context, { queue, sources, step: (key) => this.count(key) });
  }

  /** Counts again if a change may have made the usage less. */
  readonly follow: StoreListener = (resource, { type, object, previous }) => {
    if (this.known.size === 0 || !previous) return;
    const now = this.context.clock.now();
    const isOver = resource === "/pods" && hasEnded(previous, now) !== hasEnded(object, now);
    if (type !== "DELETED" && resource !== "/persistentvolumeclaims" && !isOver) return;
    const [group = "", plural = ""] = resource.split("/");
    const evaluator = evaluatorOf({ group, plural });
    this.recount(
      ({ metadata, spec }) =>
        metadata.namespace === object.metadata.namespace &&
        Object.keys(spec?.hard ?? {}).some((name) => evaluator.tracks(name)),
    );
  };

  private recount(isConcerned: (quota: ResourceQuota) => boolean = () => true): void {
    for (const quota of this.known.values()) if (isConcerned(quota)) this.queue.add(objectKey(quota));
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
