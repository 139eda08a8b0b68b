import { compareText } from "../../apimachinery/compare-text.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { finish } from "../../apimachinery/steps.ts";
import { isApiError } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { type ApiService, automanagedLabel, localApiService } from "../kinds/apiregistration/api-service.ts";
import type { AggregatedVersion, ResourceRegistry } from "../registry/resource-registry.ts";
import { trackUpdate } from "../ssa/managers.ts";
import type { Collection } from "../storage/collection.ts";
import { type Store, storageKey } from "../storage/store.ts";
import { availabilityOf } from "./availability.ts";

export interface AggregatorOptions {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly uid: () => string;
}

/** Priority of the groups of CRDs, and of their versions. */
const crdPriority = [1_000, 100] as const;

/**
 * Keeps an APIService for each version of custom resources, writes the conditions of those with a service, and
 * registers their groups for discovery. Like the CRD controller, it works a turn of the event loop after a write.
 */
export class Aggregator {
  private readonly options: AggregatorOptions;
  private readonly apiServices: Collection;
  private readonly services: Collection;
  private readonly slices: Collection;
  private stops: (() => void)[] = [];
  private scheduled: NodeJS.Immediate | undefined;

  constructor(options: AggregatorOptions) {
    this.options = options;
    const { store } = options;
    this.apiServices = store.collection({ group: "apiregistration.k8s.io", plural: "apiservices" });
    this.services = store.collection({ group: "", plural: "services" });
    this.slices = store.collection({ group: "discovery.k8s.io", plural: "endpointslices" });
  }

  start(): void {
    const listen = (collection: Collection, onEvent: () => void): void => {
      this.stops.push(collection.listen(onEvent, () => undefined));
    };
    const whenRemote = (): void => {
      if (this.options.registry.aggregated().some(({ isRemote }) => isRemote)) this.schedule();
    };
    this.options.registry.listen(() => this.schedule());
    listen(this.apiServices, () => this.schedule());
    listen(this.services, whenRemote);
    listen(this.slices, whenRemote);
    this.sync();
  }

  stop(): void {
    for (const stop of this.stops) stop();
    if (this.scheduled) clearImmediate(this.scheduled);
  }

  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      try {
        this.sync();
      } catch (error) {
        // The journal has reported it; the next write tries again.
        if (!isApiError(error)) throw error;
      }
    });
  }

  private sync(): void {
    this.keepCustom();
    const remote = this.all().filter(({ spec, metadata }) => spec?.service || !metadata.labels?.[automanagedLabel]);
    for (const object of remote) this.writeCondition(object);
    const versions = remote.map(({ spec }): AggregatedVersion => {
      const { group = "", version = "", service } = spec ?? {};
      return { group, version, isRemote: service !== undefined };
    });
    this.options.registry.setAggregated(versions.toSorted((a, b) => compareText(a.group, b.group)));
  }

  /** Creates and deletes the APIServices of custom resources. */
  private keepCustom(): void {
    const { registry, store, clock, uid } = this.options;
    const custom = registry.resources().filter(({ custom }) => custom !== undefined);
    const wanted = new Map(custom.map(({ group, version }) => [`${version}.${group}`, { group, version }]));
    for (const object of this.all()) {
      const { name = "", labels } = object.metadata;
      if (labels?.[automanagedLabel] === "true" && !wanted.has(name)) store.remove(this.apiServices, name, object);
    }
    for (const [name, groupVersion] of wanted) {
      if (this.apiServices.get(name)) continue;
      const now = timestamp(clock.now());
      const created = localApiService(groupVersion, { managed: "true", priority: crdPriority }, now);
      const object = { ...created, metadata: { ...created.metadata, uid: uid(), creationTimestamp: now } };
      store.commit(this.apiServices, name, { previous: undefined, object });
    }
  }

  private writeCondition(object: ApiService): void {
    const { store, registry, clock } = this.options;
    const { spec } = object;
    if (!spec?.service) return;
    const next = availabilityOf(spec.service, spec, {
      service: (namespace, name) => this.services.get(storageKey(namespace, name)),
      slices: (namespace, name) => this.slicesOf(namespace, name),
    });
    const before = object.status?.conditions?.find(({ type }) => type === next.type);
    const now = timestamp(clock.now());
    const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : now;
    const status = { conditions: [{ ...next, lastTransitionTime }] };
    if (equalJson(status, object.status)) return;
    const after: UnstructuredObject = { ...object, status };
    const update = {
      schema: registry.find("apiregistration.k8s.io", "v1", "apiservices")?.resource.schema(),
      before: object,
      after,
      manager: "kube-apiserver",
      apiVersion: "apiregistration.k8s.io/v1",
      subresource: "status",
      now,
    } as const;
    const managedFields = finish(trackUpdate(update));
    const updated = { ...after, metadata: { ...after.metadata, managedFields } };
    store.commit(this.apiServices, object.metadata.name ?? "", { previous: object, object: updated });
  }

  private slicesOf(namespace: string, service: string): UnstructuredObject[] {
    const inNamespace = [...this.slices.entries(storageKey(namespace, ""))].map(([, slice]) => slice);
    return inNamespace.filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === service);
  }

  private all(): ApiService[] {
    return [...this.apiServices.entries("")].map(([, object]) => object as ApiService);
  }
}
