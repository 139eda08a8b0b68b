// Variants of the correct operator with one bug each, as they are found in real operators.
import {
  EventChannel,
  TerminalError,
  addFinalizer,
  channelSource,
  enqueueForOwner,
  equalJson,
  ignoreNotFound,
  isAlreadyExists,
  isApiError,
  isConflict,
  mergePatch,
  removeFinalizer,
  setControllerReference,
} from "../../../dist/index.js";
import { CacheOperator, finalizer, labelsOf, newPassword, registrationKey, registry } from "./cache-operator.js";
import { Autoscaler, Cache, Claim, ConfigMap, Deployment, Lease, Secret, Service } from "./kinds.js";

/** Follows the Deployments by a watch of its own, until it ends. */
class DeploymentFollower extends CacheOperator {
  owned = [Service, ConfigMap, Secret, Claim];
  changed = new EventChannel();
  async start() {
    await super.start();
    this.mgr.add({ start: (signal) => this.followDeployments(signal).catch(() => {}) });
  }
  configure(builder) {
    builder.watchesSource(channelSource(this.changed, enqueueForOwner(Cache)));
  }
  // The cache may be behind the watch.
  readDeployment(cache) {
    return this.live.getOrUndefined(Deployment, cache.metadata);
  }
  async followDeployments(signal) {
    for await (const { object } of this.live.watch(Deployment, { signal })) this.changed.send({ object });
  }
}

/** Trusts the finalizer: it does not look for registrations without a cache. */
class TrustingOperator extends CacheOperator {
  async unregister() {}
}

export const bugs = {
  // Crashes and restarts.
  "finalizer-too-late": class extends TrustingOperator {
    async prepare(cache) {
      await this.ensureRegistration(cache);
      return super.prepare(cache);
    }
  },
  "status-before-children": class extends CacheOperator {
    async apply(cache) {
      if (cache.status?.provisioned === cache.metadata.generation) return;
      await this.client.status.update(Cache, {
        ...cache,
        status: { ...cache.status, provisioned: cache.metadata.generation },
      });
      await super.apply(await this.mgr.apiReader.get(Cache, cache.metadata));
    }
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), provisioned: cache.metadata.generation };
    }
  },
  "successor-deleted": class extends CacheOperator {
    async finalize(cache) {
      // What the cache shows may be the deletion of an earlier object of that name.
      await this.client.delete(Deployment, cache.metadata).catch(ignoreNotFound);
      await super.finalize(cache);
    }
  },
  "finalizer-removed-first": class extends TrustingOperator {
    async finalize(cache) {
      cache.metadata.finalizers = cache.metadata.finalizers?.filter((name) => name !== finalizer);
      await this.client.update(Cache, cache);
      await this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
    }
  },
  "password-renewed-at-start": class extends CacheOperator {
    renewed = new Set();
    async ensureSecret(cache) {
      await this.ensureChild(Secret, cache, "-auth", (secret) => {
        if (!this.renewed.has(cache.metadata.uid)) secret.data = { password: newPassword() };
        this.renewed.add(cache.metadata.uid);
      });
    }
  },
  "created-only-in-memory": class extends CacheOperator {
    known = new Set();
    async ensureService(cache) {
      const key = `${cache.metadata.uid} ${cache.metadata.generation}`;
      if (this.known.has(key)) return;
      this.known.add(key);
      await super.ensureService(cache);
    }
  },
  "generated-name-in-memory": class extends CacheOperator {
    names = new Map();
    async ensureConfig(cache) {
      await super.ensureConfig(cache);
      const { name, namespace, uid } = cache.metadata;
      if (this.names.has(uid)) return;
      const audit = { metadata: { generateName: `${name}-audit-`, namespace }, data: { cache: name } };
      setControllerReference(cache, audit);
      this.names.set(uid, (await this.client.create(ConfigMap, audit)).metadata.name);
    }
  },
  "generated-name-in-status": class extends CacheOperator {
    async ensureConfig(cache) {
      await super.ensureConfig(cache);
      if (cache.status?.audit) return;
      const { name, namespace } = cache.metadata;
      const audit = { metadata: { generateName: `${name}-audit-`, namespace }, data: { cache: name } };
      setControllerReference(cache, audit);
      this.audit = (await this.client.create(ConfigMap, audit)).metadata.name;
    }
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), audit: cache.status?.audit ?? this.audit };
    }
  },

  // Answers of the server.
  "already-exists-is-fatal": class extends CacheOperator {
    async ensureSecret(cache) {
      if (cache.status?.conditions) return;
      const { name, namespace } = cache.metadata;
      const secret = { metadata: { name: `${name}-auth`, namespace }, data: { password: newPassword() } };
      setControllerReference(cache, secret);
      try {
        await this.client.create(Secret, secret);
      } catch (error) {
        throw isAlreadyExists(error) ? new TerminalError("the secret belongs to somebody else") : error;
      }
    }
  },
  "conflict-swallowed": class extends CacheOperator {
    async ensureDeployment(cache) {
      await super.ensureDeployment(cache).catch((error) => {
        if (!isConflict(error)) throw error;
      });
    }
  },
  "update-error-swallowed": class extends CacheOperator {
    async ensureDeployment(cache) {
      await super
        .ensureDeployment(cache)
        .catch((error) => console.log(`The deployment is not updated: ${error.message}`));
    }
  },
  "terminal-on-any-refusal": class extends CacheOperator {
    async ensureDeployment(cache) {
      await super.ensureDeployment(cache).catch((error) => {
        throw isApiError(error) && !isConflict(error) ? new TerminalError(error.message) : error;
      });
    }
  },

  // Changes that are not followed.
  "created-but-never-updated": class extends CacheOperator {
    async ensureDeployment(cache) {
      const found = await this.client.getOrUndefined(Deployment, cache.metadata);
      if (!found) await super.ensureDeployment(cache);
    }
  },
  "owned-kind-not-watched": class extends CacheOperator {
    owned = [Deployment, ConfigMap, Secret, Claim];
  },
  "service-compared-with-status": class extends CacheOperator {
    async ensureService(cache) {
      if (cache.status?.port === cache.spec.port) return;
      await super.ensureService(cache);
    }
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), port: cache.spec.port };
    }
  },
  "settings-never-removed": class extends CacheOperator {
    async ensureConfig(cache) {
      await this.ensureChild(ConfigMap, cache, "-config", (config) => {
        config.data = { ...config.data, "cache.conf": this.configOf(cache), ...cache.spec.settings };
      });
    }
  },
  "annotation-only-at-creation": class extends CacheOperator {
    shapeDeployment(cache, deployment) {
      const isNew = !deployment.spec;
      super.shapeDeployment(cache, deployment);
      const { annotations } = deployment.spec.template.metadata;
      if (isNew) annotations["check.example.com/description"] = cache.spec.description ?? "";
    }
  },
  "replicas-only-grow": class extends CacheOperator {
    shapeDeployment(cache, deployment) {
      const before = deployment.spec?.replicas ?? 0;
      super.shapeDeployment(cache, deployment);
      deployment.spec.replicas = Math.max(before, this.replicasOf(cache));
    }
  },

  // Deletion.
  "owner-reference-missing": class extends CacheOperator {
    own(cache, child) {
      if (!child.metadata.name.endsWith("-config")) super.own(cache, child);
    }
  },
  "finalizer-never-removed": class extends CacheOperator {
    async finalize(cache) {
      await this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
    }
  },
  "finalizer-needs-its-object": class extends CacheOperator {
    async finalize(cache) {
      if (!(await this.client.getOrUndefined(ConfigMap, registrationKey(cache))))
        throw new Error("the registration is missing");
      await super.finalize(cache);
    }
  },
  "registration-not-removed": class extends TrustingOperator {
    async prepare(cache) {
      return cache;
    }
  },

  // Too many writes.
  "replicas-against-autoscaler": class extends CacheOperator {
    async apply(cache) {
      await super.apply(cache);
      const { name } = cache.metadata;
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
      await this.ensureChild(Autoscaler, cache, "", (autoscaler) => {
        autoscaler.spec ??= { scaleTargetRef, minReplicas: cache.spec.replicas + 1, maxReplicas: 10 };
      });
    }
  },
  "autoscaler-not-watched": class extends CacheOperator {
    // The autoscaler decides on the replicas.
    async apply(cache) {
      await super.apply(cache);
      const { name } = cache.metadata;
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
      await this.ensureChild(Autoscaler, cache, "", (autoscaler) => {
        autoscaler.spec ??= { scaleTargetRef };
        Object.assign(autoscaler.spec, { minReplicas: cache.spec.replicas, maxReplicas: 1000 });
      });
    }
    shapeDeployment(cache, deployment) {
      const replicas = deployment.spec?.replicas;
      super.shapeDeployment(cache, deployment);
      if (replicas !== undefined) deployment.spec.replicas = replicas;
    }
    statusOf(cache, ready) {
      return super.statusOf(cache, Math.min(ready, this.replicasOf(cache)));
    }
  },
  "status-counts-reconciles": class extends CacheOperator {
    predicates = [];
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), reconciles: (cache.status?.reconciles ?? 0) + 1 };
    }
  },
  "status-with-time": class extends CacheOperator {
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), lastReconcile: new Date().toISOString().slice(0, 19) };
    }
  },
  "no-op-writes": class extends CacheOperator {
    async reconcile(request) {
      await super.reconcile(request);
      const cache = await this.client.getOrUndefined(Cache, request);
      if (!cache || cache.metadata.deletionTimestamp) return undefined;
      await this.client.status.update(Cache, cache);
      return { requeueAfter: 100 };
    }
  },

  // The status.
  "observed-generation-not-updated": class extends CacheOperator {
    statusOf(cache, ready) {
      const status = super.statusOf(cache, ready);
      return { ...status, observedGeneration: cache.status?.observedGeneration ?? status.observedGeneration };
    }
  },

  "size-noted-once": class extends CacheOperator {
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), replicas: cache.status?.replicas ?? cache.spec.replicas };
    }
  },
  "port-noted-once": class extends CacheOperator {
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), port: cache.status?.port ?? cache.spec.port };
    }
  },

  // Values of fields.
  "crash-without-monitoring": class extends CacheOperator {
    async apply(cache) {
      await super.apply(cache);
      setTimeout(() => cache.spec.monitoring.enabled);
    }
  },
  "error-at-an-enum-value": class extends CacheOperator {
    configOf(cache) {
      const flag = { lru: "-M", lfu: "-F" }[cache.spec.eviction ?? "lru"];
      return `flag=${flag.toLowerCase()}\n${super.configOf(cache)}`;
    }
  },
  "zero-is-unset": class extends CacheOperator {
    replicasOf(cache) {
      return cache.spec.replicas || 1;
    }
    async ensureDeployment(cache) {
      const found = await this.client.getOrUndefined(Deployment, cache.metadata);
      // Not below what somebody has scaled it to.
      if (found && !cache.spec.replicas) return;
      await super.ensureDeployment(cache);
    }
  },
  "description-as-label": class extends CacheOperator {
    async ensureService(cache) {
      await this.ensureChild(Service, cache, "", (service) => {
        service.spec ??= { selector: labelsOf(cache), ports: [{ name: "cache" }] };
        service.spec.ports[0].port = cache.spec.port;
        service.metadata.labels = { description: (cache.spec.description ?? "").replaceAll(" ", "-") };
      });
    }
  },
  "optional-service-not-removed": class extends CacheOperator {
    async ensureService(cache) {
      await super.ensureService(cache);
      if (!cache.spec.monitoring?.enabled) return;
      await this.ensureChild(Service, cache, "-metrics", (service) => {
        service.spec ??= { selector: labelsOf(cache), ports: [{ name: "metrics", port: 9150 }] };
      });
    }
  },
  "input-not-watched": class extends CacheOperator {
    async ensureConfig(cache) {
      await super.ensureConfig(cache);
      const { namespace } = cache.metadata;
      const input = await this.client.getOrUndefined(ConfigMap, { namespace, name: "cache-defaults" });
      await this.ensureChild(ConfigMap, cache, "-defaults", (copy) => {
        copy.data = { ...input?.data };
      });
    }
  },
  "claim-deleted-at-zero": class extends CacheOperator {
    async ensureClaim(cache) {
      if (this.replicasOf(cache) > 0) return super.ensureClaim(cache);
      const { name, namespace } = cache.metadata;
      return this.client.delete(Claim, { namespace, name: `${name}-data` }).catch(ignoreNotFound);
    }
  },

  // Writes that replace.
  "recreated-on-change": class extends CacheOperator {
    async ensureDeployment(cache) {
      const found = await this.client.getOrUndefined(Deployment, cache.metadata);
      const args = found?.spec.template.spec.containers[0].args;
      const wanted = structuredClone(found ?? {});
      this.shapeDeployment(cache, wanted);
      if (found && !equalJson(found, wanted) && args) {
        await this.client.delete(Deployment, cache.metadata).catch(ignoreNotFound);
        return;
      }
      await super.ensureDeployment(cache);
    }
  },

  // Watches and caches.
  "orphans-deleted-at-start": class extends CacheOperator {
    async start() {
      await super.start();
      this.mgr.add({ start: () => this.deleteOrphans() });
    }
    async deleteOrphans() {
      for (const { metadata } of (await this.mgr.apiReader.list(Claim, { namespace: "default" })).items) {
        const name = metadata.name.replace(/-data$/, "");
        const cache = await this.client.getOrUndefined(Cache, { namespace: metadata.namespace, name });
        if (!cache) await this.client.delete(Claim, metadata).catch(ignoreNotFound);
      }
    }
  },
  "existence-known-from-events": class extends CacheOperator {
    audited = new Set();
    predicates = [];
    async start() {
      await super.start();
      const informer = await this.mgr.cache.informer(ConfigMap);
      const note = ({ metadata }) => this.audited.add(metadata.labels?.audits);
      await informer.addHandler({ add: note, update: () => undefined, delete: () => undefined });
    }
    async ensureConfig(cache) {
      await super.ensureConfig(cache);
      const { name, namespace, uid } = cache.metadata;
      if (this.audited.has(uid)) return;
      const audit = { metadata: { generateName: `${name}-audit-`, namespace, labels: { audits: uid } } };
      setControllerReference(cache, audit);
      await this.client.create(ConfigMap, audit);
    }
  },
  "unbound-claim-is-lost": class extends CacheOperator {
    async apply(cache) {
      await super.apply(cache);
      const { name, namespace } = cache.metadata;
      const deployment = await this.readDeployment(cache);
      const claim = await this.client.getOrUndefined(Claim, { name: `${name}-data`, namespace });
      // Pods run only with their claim; the cache of claims may show it later than the cache of Deployments.
      if (deployment?.status?.readyReplicas && claim?.status?.phase !== "Bound")
        await this.ensureChild(ConfigMap, cache, "-lost", (alarm) => (alarm.data = { claim: `${name}-data` }));
    }
  },
  "watch-loop-ends": DeploymentFollower,
  "connection-error-ends-the-loop": class extends DeploymentFollower {
    async followDeployments(signal) {
      while (!signal.aborted) await super.followDeployments(signal);
    }
  },
  "rollout-must-be-seen": class extends CacheOperator {
    rolledOut = 0;
    async reportStatus(cache) {
      const { status } = (await this.client.getOrUndefined(Deployment, cache.metadata)) ?? {};
      if (status?.observedGeneration && (status.readyReplicas ?? 0) < this.replicasOf(cache))
        this.rolledOut = cache.metadata.generation;
      await super.reportStatus(cache);
    }
    statusOf(cache, ready) {
      const phase = this.rolledOut === 0 ? "Waiting" : ready === this.replicasOf(cache) ? "Done" : "Rolling";
      return { ...super.statusOf(cache, ready), phase };
    }
  },
  "leader-never-steps-down": class extends CacheOperator {
    static leaderElection = false;
    replicas = new Map();
    async start() {
      await super.start();
      await this.waitForLease();
      setInterval(() => void this.heal().catch(() => {}), 200);
    }
    /** Takes a missing lease; never renews it, nor looks at it again. */
    async waitForLease() {
      const lease = {
        metadata: { namespace: registry, name: "home-made" },
        spec: { holderIdentity: String(process.pid) },
      };
      for (;;) {
        try {
          return await this.live.create(Lease, lease);
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    }
    replicasOf(cache) {
      const replicas = super.replicasOf(cache);
      this.replicas.set(`${cache.metadata.namespace}/${cache.metadata.name}`, replicas);
      return replicas;
    }
    /** Undoes what others have done to a size, as it remembers it. */
    async heal() {
      for (const [key, replicas] of this.replicas) {
        const [namespace, name] = key.split("/");
        const found = await this.live.getOrUndefined(Deployment, { namespace, name });
        if (found && found.spec.replicas !== replicas)
          await this.live.patch(Deployment, { namespace, name }, mergePatch({ spec: { replicas } }));
      }
    }
  },
  // Its role lacks a verb (ground-truth.test.ts takes it away); the code is the correct one.
  "verb-missing-in-role": CacheOperator,

  // Upgrades: the older version is the correct operator.
  "finalizer-renamed": class extends CacheOperator {
    async prepare(cache) {
      return addFinalizer(cache, "check.example.com/cleanup") ? this.client.update(Cache, cache) : cache;
    }
    async finalize(cache) {
      await this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
      if (removeFinalizer(cache, "check.example.com/cleanup")) await this.client.update(Cache, cache);
    }
  },
  "object-renamed": class extends CacheOperator {
    async ensureConfig(cache) {
      await this.ensureChild(ConfigMap, cache, "-settings", (config) => {
        config.data = { "cache.conf": this.configOf(cache) };
      });
    }
  },
  "label-for-new-objects": class extends CacheOperator {
    async ensureService(cache) {
      await this.ensureChild(Service, cache, "", (service) => {
        service.spec ??= {
          selector: labelsOf(cache),
          ports: [{ name: "cache", port: cache.spec.port }],
          sessionAffinity: "ClientIP",
        };
        Object.assign(service.spec.ports[0], { port: cache.spec.port, targetPort: cache.spec.port });
      });
    }
  },
  "selector-changed": class extends CacheOperator {
    shapeDeployment(cache, deployment) {
      super.shapeDeployment(cache, deployment);
      const labels = { ...labelsOf(cache), "app.kubernetes.io/component": "server" };
      deployment.spec.selector = { matchLabels: labels };
      deployment.spec.template.metadata.labels = labels;
    }
  },
  "second-finalizer": class extends CacheOperator {
    async prepare(cache) {
      const prepared = await super.prepare(cache);
      return addFinalizer(prepared, "check.example.com/backup") ? this.client.update(Cache, prepared) : prepared;
    }
    async finalize(cache) {
      removeFinalizer(cache, "check.example.com/backup");
      await super.finalize(cache);
    }
  },
};
