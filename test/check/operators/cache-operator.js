// A correct operator, for the ground truth of `tsop check`. bugs.js has variants of it.
import { createHash, randomBytes } from "node:crypto";
import {
  addFinalizer,
  controllerManagedBy,
  createOrUpdate,
  enqueueFromMap,
  equalJson,
  generationChanged,
  ignoreNotFound,
  removeFinalizer,
  setCondition,
  setControllerReference,
} from "../../../dist/index.js";
import { Cache, Claim, ConfigMap, Deployment, Secret, Service } from "./kinds.js";

export const finalizer = "check.example.com/registration";
/** The namespace in which each cache is registered, out of reach of owner references. */
export const registry = "cache-system";
const ownerLabel = "check.example.com/cache";

export class CacheOperator {
  /** `live` reads from the server; the manager's client from its cache. */
  constructor(mgr, live) {
    this.mgr = mgr;
    this.client = mgr.client;
    this.live = live;
  }

  /** The kinds whose changes lead to a reconcile of their owner. */
  owned = [Deployment, Service, ConfigMap, Secret, Claim];

  /** Of the caches' own changes, handles changes of the spec, but not of the status, which it writes. */
  predicates = [generationChanged()];

  async start() {
    const builder = controllerManagedBy(this.mgr).for(Cache, { predicates: this.predicates }).named("cache");
    for (const kind of this.owned) builder.owns(kind);
    builder.watches(ConfigMap, enqueueFromMap(registrationOwners));
    this.configure(builder);
    await builder.complete({ reconcile: (request) => this.reconcile(request) });
  }

  /** For variants. */
  configure() {}

  async reconcile(request) {
    const found = await this.client.getOrUndefined(Cache, request);
    if (!found) return this.unregister(request);
    if (found.metadata.deletionTimestamp) return this.finalize(found);
    const cache = await this.prepare(found);
    await this.apply(cache);
    return this.reportStatus(cache);
  }

  /** Does what must be done before the first object outside of ownership is created. */
  async prepare(cache) {
    return addFinalizer(cache, finalizer) ? this.client.update(Cache, cache) : cache;
  }

  async apply(cache) {
    await this.ensureRegistration(cache);
    await this.ensureConfig(cache);
    await this.ensureSecret(cache);
    await this.ensureClaim(cache);
    await this.ensureService(cache);
    await this.ensureDeployment(cache);
  }

  async finalize(cache) {
    await this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
    if (removeFinalizer(cache, finalizer)) await this.client.update(Cache, cache);
  }

  /** Removes the registration of a cache that is gone: a leader that has lost its lease may still have created it. */
  async unregister(key) {
    const registration = registrationKey({ metadata: key });
    const isLeft = (await this.client.getOrUndefined(ConfigMap, registration)) !== undefined;
    if (isLeft && !(await this.live.getOrUndefined(Cache, key)))
      await this.client.delete(ConfigMap, registration).catch(ignoreNotFound);
  }

  async ensureRegistration(cache) {
    const { namespace, name } = cache.metadata;
    const metadata = { ...registrationKey(cache), labels: { [ownerLabel]: `${namespace}.${name}` } };
    await this.ensure(ConfigMap, { metadata }, (entry) => {
      entry.data = { address: `${name}.${namespace}:${cache.spec.port}` };
    });
  }

  async ensureConfig(cache) {
    await this.ensureChild(ConfigMap, cache, "-config", (config) => {
      config.data = { "cache.conf": this.configOf(cache) };
    });
  }

  async ensureSecret(cache) {
    await this.ensureChild(Secret, cache, "-auth", (secret) => {
      secret.data ??= { password: newPassword() };
    });
  }

  async ensureClaim(cache) {
    await this.ensureChild(Claim, cache, "-data", (claim) => {
      claim.spec ??= {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: cache.spec.storage.size } },
      };
    });
  }

  async ensureService(cache) {
    await this.ensureChild(Service, cache, "", (service) => {
      service.spec ??= { selector: labelsOf(cache), ports: [{ name: "cache" }] };
      Object.assign(service.spec.ports[0], { port: cache.spec.port, targetPort: cache.spec.port });
    });
  }

  readDeployment(cache) {
    return this.client.getOrUndefined(Deployment, cache.metadata);
  }

  async ensureDeployment(cache) {
    await this.ensureChild(Deployment, cache, "", (deployment) => this.shapeDeployment(cache, deployment));
  }

  /** Sets the fields that are the operator's, and leaves the server's defaults alone. */
  shapeDeployment(cache, deployment) {
    const labels = labelsOf(cache);
    const spec = (deployment.spec ??= {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "cache", image: "memcached:1.6-alpine" }] } },
    });
    spec.replicas = this.replicasOf(cache);
    (spec.template.metadata.annotations ??= {})["check.example.com/config"] = hash(this.configOf(cache));
    spec.template.spec.containers[0].args = [`-m=${cache.spec.memoryMB ?? 64}`, `-p=${cache.spec.port}`];
  }

  replicasOf(cache) {
    return cache.spec.replicas ?? 1;
  }

  configOf({ spec }) {
    const settings = Object.entries(spec.settings ?? {}).map(([key, value]) => `${key}=${value}`);
    const lines = [`eviction=${spec.eviction ?? "none"}`, `monitoring=${spec.monitoring?.enabled ?? false}`];
    return [...lines, ...settings.sort()].join("\n");
  }

  async reportStatus(cache) {
    const deployment = await this.readDeployment(cache);
    const wanted = this.statusOf(cache, deployment?.status?.readyReplicas ?? 0);
    if (equalJson(cache.status, wanted)) return;
    await this.client.status.update(Cache, { ...cache, status: wanted });
  }

  statusOf(cache, ready) {
    const { generation } = cache.metadata;
    const wanted = this.replicasOf(cache);
    const conditions = structuredClone(cache.status?.conditions ?? []);
    setCondition(conditions, {
      type: "Available",
      status: ready >= wanted ? "True" : "False",
      reason: ready >= wanted ? "Ready" : "Waiting",
      message: `${ready} of ${wanted} replicas are ready`,
      observedGeneration: generation,
    });
    return { observedGeneration: generation, readyReplicas: ready, conditions };
  }

  /** Creates or updates an object that belongs to a cache. */
  async ensureChild(kind, cache, suffix, shape) {
    const { name, namespace } = cache.metadata;
    await this.ensure(kind, { metadata: { name: `${name}${suffix}`, namespace } }, (child) => {
      shape(child);
      this.own(cache, child);
    });
  }

  /** Creates or updates an object. A conflict, as with a cache that lags, is an error: the reconcile is repeated. */
  async ensure(kind, object, shape) {
    await createOrUpdate(this.client, kind, object, shape);
  }

  own(cache, child) {
    setControllerReference(cache, child);
  }
}

export function registrationKey({ metadata: { name, namespace } }) {
  return { namespace: registry, name: `${namespace}.${name}` };
}

function registrationOwners({ metadata: { labels = {} } }) {
  const [namespace, name] = labels[ownerLabel]?.split(".") ?? [];
  return name === undefined ? [] : [{ namespace, name }];
}

export function labelsOf({ metadata: { name } }) {
  return { "app.kubernetes.io/name": "cache", "app.kubernetes.io/instance": name };
}

export function newPassword() {
  return Buffer.from(randomBytes(12).toString("hex")).toString("base64");
}

function hash(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
