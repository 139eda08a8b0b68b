// A server with Memcacheds and their Deployments, and a driver that sees when an operator has done its work.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openConnection } from "./thin-client.mjs";

const namespace = "default";
const workers = 32;
const patienceMs = 300_000;
/** Without it, a real server ends a watch after 30 to 60 minutes, which the longest benchmark takes. */
const timeoutSeconds = 6 * 60 * 60;

/** Starts the real server of KUBEBUILDER_ASSETS, or the embedded one in a process of its own. */
export async function startServer(folder) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const kubeconfig = join(folder, "server-kubeconfig");
  if (!assets) return startEmbeddedServer(folder);
  const real = await startReal(assets, kubeconfig);
  return { kubeconfig, ...real, isReal: true, client: await clientOf(kubeconfig) };
}

/** Starts the embedded server, which reports its memory. */
export async function startEmbeddedServer(folder) {
  const { startEmbedded } = await import("./measured-servers.mjs");
  const kubeconfig = join(folder, "server-kubeconfig");
  const { stop, megabytes } = await startEmbedded(join(folder, "server"));
  return { kubeconfig, stop, megabytes, isReal: false, client: await clientOf(kubeconfig) };
}

async function clientOf(kubeconfig) {
  const { createClient, loadConfig } = await import("../../dist/index.js");
  return createClient({ config: await loadConfig({ kubeconfig }) });
}

async function startReal(assets, kubeconfig) {
  const { TestEnvironment } = await import("../../dist/testing/index.js");
  const environment = new TestEnvironment({ binaryAssetsDirectory: assets, startTimeoutMs: 60_000 });
  await environment.start();
  writeFileSync(kubeconfig, environment.kubeconfig);
  return {
    /** Without it, kube-apiserver collects during some starts of an operator, which then take longer. */
    async collectGarbage() {
      // One that is kept would be idle too long while a cluster is filled.
      const connection = await openConnection(environment.config);
      await connection.send("GET", "/debug/pprof/heap?gc=1");
      connection.close();
    },
    stop: () => environment.stop(),
  };
}

/** Installs the CRD, and follows the objects of the namespace. */
export async function openCluster({ client }) {
  const { defineKind } = await import("../../dist/index.js");
  const Memcached = defineKind({ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" }); // prettier-ignore
  const Deployment = defineKind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
  const CustomResourceDefinition = defineKind({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", plural: "customresourcedefinitions", scope: "Cluster" }); // prettier-ignore
  await client.create(CustomResourceDefinition, crd);
  const stopping = new AbortController();
  const { signal } = stopping;
  const cluster = new Cluster(client, Memcached, Deployment);
  await cluster.until(() => client.list(Memcached, { namespace }).then(Boolean, () => false));
  const watching = [
    follow(
      client.watch(Deployment, { namespace, signal, timeoutSeconds }),
      cluster.deployments,
      ({ spec }) => spec.replicas,
    ),
    follow(client.watch(Memcached, { namespace, signal, timeoutSeconds }), cluster.ready, readySize),
  ];
  return Object.assign(cluster, {
    async close() {
      stopping.abort();
      await Promise.all(watching);
    },
  });
}

export function namesOf(prefix, from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => `${prefix}-${from + index}`);
}

class Cluster {
  /** Replicas of each Deployment, and the size of each Memcached whose status is complete, with the time of the event. */
  deployments = new Map();
  ready = new Map();

  constructor(client, Memcached, Deployment) {
    Object.assign(this, { client, Memcached, Deployment });
  }

  create(name) {
    return this.client.create(this.Memcached, memcached(name));
  }

  createAll(names) {
    return inParallel(names, (name) => this.create(name));
  }

  /** Creates objects that an operator has left in order. */
  seed(names) {
    return inParallel(names, async (name) => {
      const object = await this.create(name);
      await this.client.status.update(this.Memcached, { ...object, status: statusOf(object) });
      await this.client.create(this.Deployment, deploymentOf(object));
    });
  }

  /** Changes the size; resolves to the milliseconds until the Deployment has it. */
  async resize(name, size) {
    const begin = performance.now();
    const { mergePatch } = await import("../../dist/index.js");
    await this.client.patch(this.Memcached, { namespace, name }, mergePatch({ spec: { size } }));
    await this.until(() => this.deployments.get(name)?.value === size);
    return this.deployments.get(name).at - begin;
  }

  async removeDeployments(names) {
    await inParallel(names, (name) => this.client.delete(this.Deployment, { namespace, name }));
    await this.until(() => names.every((name) => !this.deployments.has(name)));
  }

  async clear() {
    const background = { propagationPolicy: "Background" };
    await this.client.deleteAllOf(this.Memcached, { namespace, ...background });
    await this.client.deleteAllOf(this.Deployment, { namespace, ...background });
    await this.until(() => this.ready.size + this.deployments.size === 0);
  }

  /** Waits until something is so, as long as the operator that does it runs. */
  async until(isSo, operator) {
    for (const deadline = Date.now() + patienceMs; !(await isSo()); await after(1)) {
      operator?.check();
      if (Date.now() > deadline) throw new Error(`not within ${patienceMs / 1000} s: ${isSo}`);
    }
  }
}

async function inParallel(names, work) {
  const rest = names.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const name of rest) await work(name);
    }),
  );
}

async function follow(events, seen, valueOf) {
  try {
    for await (const { type, object } of events) {
      const value = type === "DELETED" ? undefined : valueOf(object);
      if (value === undefined) seen.delete(object.metadata.name);
      else seen.set(object.metadata.name, { value, at: performance.now() });
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function readySize({ metadata, spec, status }) {
  const isSeen = status?.conditions?.some(({ observedGeneration }) => observedGeneration === metadata.generation);
  return isSeen && status.nodes?.length === spec.size ? spec.size : undefined;
}

const objectSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const crd = {
  metadata: { name: "memcacheds.cache.example.com" },
  spec: {
    group: "cache.example.com",
    names: { plural: "memcacheds", kind: "Memcached", listKind: "MemcachedList", singular: "memcached" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: objectSchema, status: objectSchema } } },
      },
    ],
  },
};

function memcached(name) {
  return { metadata: { name, namespace }, spec: { size: 3 } };
}

function statusOf({ metadata: { name, generation } }) {
  const condition = {
    type: "Available",
    status: "True",
    reason: "Reconciled",
    message: "Deployment has 3 replicas",
    observedGeneration: generation,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  return { nodes: [0, 1, 2].map((index) => `${name}-${index}`), conditions: [condition] };
}

function deploymentOf({ metadata: { name, uid } }) {
  const labels = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": name };
  const owner = { apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", name, uid, controller: true, blockOwnerDeletion: true }; // prettier-ignore
  const container = {
    name: "memcached",
    image: "memcached:1.6-alpine",
    command: ["memcached", "-m=64", "-o", "modern", "-v"],
    ports: [{ name: "memcached", containerPort: 11211 }],
  };
  return {
    metadata: { name, namespace, labels, ownerReferences: [owner] },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { securityContext: { runAsNonRoot: true }, containers: [container] },
      },
    },
  };
}
