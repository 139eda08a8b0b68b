/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import {
  addFinalizer,
  cloneJson,
  containsFinalizer,
  controllerManagedBy,
  createOrUpdate,
  enqueueFromMap,
  equalJson,
  removeFinalizer,
  setCondition,
  setControllerReference,
  type Client,
  type Controller,
  type EventRecorder,
  type Manager,
  type Named,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { Pod, type Container } from "tsop/k8s/core/v1";
import { Memcached } from "../api/v1alpha1/zz_generated.kinds.ts";

const finalizer = "cache.example.com/finalizer";

/** Manages one Deployment for each Memcached and reports its state in the status. */
export class MemcachedReconciler implements Reconciler {
  private readonly client: Client;
  private readonly events: EventRecorder;
  private readonly image: string;

  constructor(client: Client, events: EventRecorder, image: string) {
    this.client = client;
    this.events = events;
    this.image = image;
  }

  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch;update
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const memcached = await this.client.getOrUndefined(Memcached, req);
    if (!memcached) {
      ctx.log.info("Memcached is gone, nothing to do");
      return {};
    }
    if (memcached.metadata.deletionTimestamp) {
      await this.finalize(memcached);
      return {};
    }
    if (addFinalizer(memcached, finalizer)) {
      await this.client.update(Memcached, memcached);
      return {}; // the update triggers another reconcile
    }

    const deployment = await this.ensureDeployment(memcached, ctx);
    await this.reportStatus(memcached, deployment);
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr)
      .for(Memcached)
      .owns(Deployment)
      .watches(Pod, enqueueFromMap(memcachedOfPod)) // status.nodes lists the pods
      .withOptions({ maxConcurrentReconciles: 2 })
      .complete(this);
  }

  /** Creates the Deployment, or reverts changes to it. A conflict leads to another reconcile. */
  private async ensureDeployment(memcached: Named<Memcached>, ctx: ReconcileContext): Promise<Deployment> {
    const wanted = this.deploymentFor(memcached);
    const { object, operation } = await createOrUpdate(this.client, Deployment, wanted, (deployment) => {
      deployment.spec!.replicas = sizeOf(memcached);
      Object.assign(deployment.spec!.template.spec!.containers[0]!, this.containerFor(memcached));
      setControllerReference(memcached, deployment);
    });
    if (operation === "unchanged") return object;
    const { name } = object.metadata;
    const isNew = operation === "created";
    ctx.log.info(isNew ? "Created the Deployment" : "Changed the Deployment", {
      deployment: name,
      size: sizeOf(memcached),
    });
    if (isNew) this.events.event(memcached, "Normal", "Created", "Create", `Created Deployment ${name}`);
    else this.events.event(memcached, "Normal", "Updated", "Update", `Updated Deployment ${name}`);
    return object;
  }

  private async reportStatus(memcached: Named<Memcached>, deployment: Deployment): Promise<void> {
    const pods = await this.client.list(Pod, { namespace: memcached.metadata.namespace, labels: labelsOf(memcached) });
    const before = memcached.status ?? {};
    const conditions = cloneJson(before.conditions ?? []);
    for (const condition of conditionsOf(memcached, deployment)) setCondition(conditions, condition);
    const status = {
      replicas: deployment.status?.replicas ?? 0,
      selector: selectorText(labelsOf(memcached)),
      nodes: pods.items.flatMap((pod) => pod.metadata.name ?? []).toSorted(),
      conditions,
    };
    if (!equalJson(status, before)) await this.client.status.update(Memcached, { ...memcached, status });
  }

  private async finalize(memcached: Named<Memcached>): Promise<void> {
    if (!containsFinalizer(memcached, finalizer)) return;
    this.events.event(
      memcached,
      "Warning",
      "Deleting",
      "Delete",
      `Memcached ${memcached.metadata.name} is being deleted`,
    );
    removeFinalizer(memcached, finalizer);
    await this.client.update(Memcached, memcached);
  }

  private deploymentFor(memcached: Named<Memcached>): Deployment {
    const labels = labelsOf(memcached);
    const { name, namespace } = memcached.metadata;
    return {
      metadata: { name, namespace, labels },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
            containers: [this.containerFor(memcached)],
          },
        },
      },
    };
  }

  private containerFor(memcached: Named<Memcached>): Container {
    const port = memcached.spec.containerPort ?? 11211;
    return {
      name: "memcached",
      image: this.image,
      command: ["memcached", `--port=${port}`, "--memory-limit=64", "-o", "modern", "-v"],
      ports: [{ name: "memcached", containerPort: port, protocol: "TCP" }],
      securityContext: { runAsUser: 1001, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    };
  }
}

function sizeOf(memcached: Named<Memcached>): number {
  return memcached.spec.size ?? 1;
}

function labelsOf(memcached: Named<Memcached>): Record<string, string> {
  return {
    "app.kubernetes.io/name": "memcached-operator",
    "app.kubernetes.io/instance": memcached.metadata.name,
    "app.kubernetes.io/managed-by": "MemcachedController",
  };
}

function memcachedOfPod(pod: Pod): Request[] {
  const { labels = {}, namespace } = pod.metadata;
  const name = labels["app.kubernetes.io/instance"];
  if (name === undefined || labels["app.kubernetes.io/managed-by"] !== "MemcachedController") return [];
  return [{ namespace, name }];
}

function selectorText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

/** Available and Progressing depend on the number of pods, Degraded on failures that the Deployment reports. */
function conditionsOf(memcached: Named<Memcached>, { status = {} }: Deployment): NewCondition[] {
  const size = sizeOf(memcached);
  const { availableReplicas: ready = 0, replicas = 0 } = status;
  const available = ready >= size;
  const settled = available && replicas === size;
  const message = `${ready} of ${size} instances are available`;
  const failure = status.conditions?.find(
    ({ type, status: holds }) =>
      (type === "Progressing" && holds === "False") || (type === "ReplicaFailure" && holds === "True"),
  );
  const { generation } = memcached.metadata;
  const condition = (type: string, holds: boolean, reason: string, text: string): NewCondition => ({
    type,
    status: holds ? "True" : "False",
    reason,
    message: text,
    observedGeneration: generation,
  });
  return [
    condition("Available", available, available ? "MinimumReplicasAvailable" : "WaitingForReplicas", message),
    condition("Progressing", !settled, settled ? "Complete" : "Reconciling", message),
    condition(
      "Degraded",
      failure !== undefined,
      failure?.reason ?? "AsExpected",
      failure?.message ?? "nothing is wrong",
    ),
  ];
}
