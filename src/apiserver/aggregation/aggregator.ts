import { compareText } from "../../apimachinery/compare-text.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject, Condition } from "../../apimachinery/meta.ts";
import { isApiError } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import {
  type ApiService,
  type ApiServiceSpec,
  automanagedLabel,
  localApiService,
} from "../kinds/apiregistration/api-service.ts";
import type { AggregatedVersion, ResourceRegistry } from "../registry/resource-registry.ts";
import { writeOwnStatus } from "../ssa/own-status.ts";
import type { Collection } from "../storage/collection.ts";
import { type Store, storageKey } from "../storage/store.ts";
import { ExtensionServer, type Discovery, type FrontProxy } from "./extension-server.ts";

interface AggregatorOptions {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly uid: () => string;
  readonly proxy: FrontProxy;
}

/** An extension server, and what it answered last. */
interface Probed {
  /** Changes with the address and the trust of the server. */
  readonly key: string;
  readonly server: ExtensionServer;
  discovery?: Discovery;
  /** Cancels the next question. */
  cancel?: () => void;
}

const apiServices = { group: "apiregistration.k8s.io", version: "v1", plural: "apiservices" };

/** The time between two questions to an extension server that is available, or is not. */
const period = { available: 30_000, unavailable: 1_000 } as const;

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
  private stops: (() => void)[] = [];
  private scheduled: NodeJS.Immediate | undefined;
  private readonly probed = new Map<string, Probed>();
  private isStopped = false;

  constructor(options: AggregatorOptions) {
    this.options = options;
    const { store } = options;
    this.apiServices = store.collection(apiServices);
    this.services = store.collection({ group: "", plural: "services" });
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
    this.sync();
  }

  stop(): void {
    this.isStopped = true;
    for (const stop of this.stops) stop();
    for (const { cancel } of this.probed.values()) cancel?.();
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
    this.keepProbed(remote);
    for (const object of remote) this.writeCondition(object);
    const versions = remote.map(({ spec, metadata }): AggregatedVersion => {
      const { group = "", version = "", service } = spec ?? {};
      const { server, discovery } = this.probed.get(metadata.name ?? "") ?? {};
      const available = discovery && "resources" in discovery ? discovery.resources : undefined;
      const extension = available && { resources: available, answer: server!.answer.bind(server!) };
      return { group, version, isRemote: service !== undefined, ...(extension && { extension }) };
    });
    this.options.registry.setAggregated(versions.toSorted((a, b) => compareText(a.group, b.group)));
  }

  /** Asks the extension servers that can be reached, one after a change of its address at once. */
  private keepProbed(remote: readonly ApiService[]): void {
    const wanted = new Set<string>();
    for (const { spec, metadata } of remote) {
      const { name = "" } = metadata;
      const origin = externalOrigin(this.serviceOf(spec), spec?.service?.port ?? 443);
      if (!spec || !origin) continue;
      wanted.add(name);
      const key = JSON.stringify([origin, spec]);
      if (this.probed.get(name)?.key === key) continue;
      this.probed.get(name)?.cancel?.();
      const probed = { key, server: new ExtensionServer(origin, spec, this.options.proxy) };
      this.probed.set(name, probed);
      void this.probe(name, probed);
    }
    for (const [name, { cancel }] of this.probed) {
      if (wanted.has(name)) continue;
      cancel?.();
      this.probed.delete(name);
    }
  }

  private async probe(name: string, probed: Probed): Promise<void> {
    const discovery = await probed.server.discover();
    if (this.isStopped || this.probed.get(name) !== probed) return;
    const isNew = !equalJson(discovery, probed.discovery);
    probed.discovery = discovery;
    const wait = "resources" in discovery ? period.available : period.unavailable;
    probed.cancel = this.options.clock.after(wait, () => void this.probe(name, probed));
    if (isNew) this.schedule();
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
    const { spec } = object;
    if (!spec?.service) return;
    const { discovery } = this.probed.get(object.metadata.name ?? "") ?? {};
    const next = availabilityOf({ ...spec, service: spec.service }, this.serviceOf(spec), discovery);
    if (!next) return;
    const before = object.status?.conditions?.find(({ type }) => type === next.type);
    const now = timestamp(this.options.clock.now());
    const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : now;
    const status = { conditions: [{ ...next, lastTransitionTime }] };
    if (!equalJson(status, object.status)) writeOwnStatus(this.options, apiServices, { previous: object, status });
  }

  private serviceOf({ service }: ApiServiceSpec = {}): UnstructuredObject | undefined {
    return service && this.services.get(storageKey(service.namespace, service.name));
  }

  private all(): ApiService[] {
    return [...this.apiServices.entries("")].map(([, object]) => object as ApiService);
  }
}

/**
 * Returns the condition of an APIService with a service. Only an external name can be reached here: `discovery` is what
 * its server answered. Before the first answer, it has no condition.
 */
function availabilityOf(
  { group, version, service: { namespace, name, port } }: ApiServiceSpec & Required<Pick<ApiServiceSpec, "service">>,
  service: UnstructuredObject | undefined,
  discovery?: Discovery,
): Pick<Condition, "type" | "status" | "reason" | "message"> | undefined {
  const unavailable = (reason: string, message: string) =>
    ({ type: "Available", status: "False", reason, message }) as const;
  if (!service) return unavailable("ServiceNotFound", `service/${name} in "${namespace}" is not present`);
  const url = `https://${name}.${namespace}.svc:${port}/apis/${group}/${version}`;
  const why = `failing or missing response from ${url}: services are not reachable from this server`;
  if (!externalOrigin(service, port)) return unavailable("FailedDiscoveryCheck", why);
  if (discovery && "problem" in discovery) return unavailable("FailedDiscoveryCheck", discovery.problem);
  return discovery && { type: "Available", status: "True", reason: "Passed", message: "all checks passed" };
}

/** Returns the origin of a service that is the name of another host. */
function externalOrigin(service: UnstructuredObject | undefined, port: number): string | undefined {
  const { type, externalName } = (service?.["spec"] ?? {}) as { type?: string; externalName?: string };
  const origin = `https://${externalName}:${port}`;
  return type === "ExternalName" && URL.canParse(origin) ? origin : undefined;
}
