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
  controllerManagedBy,
  objectKey,
  removeFinalizer,
  setControllerReference,
  setStatusCondition,
  type Client,
  type Controller,
  type EventRecorder,
  type Manager,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { Memcached } from "../api/v1alpha1/zz_generated.kinds.ts";

const finalizer = "cache.example.com/finalizer";

export interface MemcachedReconcilerOptions {
  readonly client: Client;
  readonly events: EventRecorder;
  /** The image of the instances. */
  readonly image: string;
}

/** Manages one Deployment for each Memcached and reports its state in conditions. */
export class MemcachedReconciler implements Reconciler {
  private readonly client: Client;
  private readonly events: EventRecorder;
  private readonly image: string;

  constructor({ client, events, image }: MemcachedReconcilerOptions) {
    this.client = client;
    this.events = events;
    this.image = image;
  }

  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const owner = await this.client.getOrUndefined(Memcached, req);
    if (!owner) return {}; // deleted; its Deployment is deleted with it
    if (owner.metadata.deletionTimestamp) {
      await this.finalize(owner);
      return {};
    }
    if (addFinalizer(owner, finalizer)) {
      await this.client.update(Memcached, owner);
      return {}; // the update triggers another reconcile
    }
    const deployment = await this.ensureDeployment(owner, ctx);
    await this.report(owner, deployment);
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(Memcached).owns(Deployment).named("memcached").complete(this);
  }

  /** Creates the Deployment, or restores its size. */
  private async ensureDeployment(owner: Memcached, ctx: ReconcileContext): Promise<Deployment> {
    const found = await this.client.getOrUndefined(Deployment, objectKey(owner));
    if (!found) {
      ctx.log.info("Creating the Deployment");
      const created = await this.client.create(Deployment, this.deploymentFor(owner));
      this.events.event(owner, "Normal", "Created", "Create", `Created Deployment ${created.metadata.name}`);
      return created;
    }
    const size = sizeOf(owner);
    if (!found.spec || found.spec.replicas === size) return found;
    ctx.log.info("Scaling the Deployment", { from: found.spec.replicas, to: size });
    return this.client.update(Deployment, { ...found, spec: { ...found.spec, replicas: size } });
  }

  private async report(owner: Memcached, deployment: Deployment): Promise<void> {
    const [size, ready] = [sizeOf(owner), deployment.status?.availableReplicas ?? 0];
    const isAvailable = ready >= size;
    await this.writeCondition(owner, {
      type: "Available",
      status: isAvailable ? "True" : "False",
      reason: isAvailable ? "MinimumReplicasAvailable" : "Reconciling",
      message: `${ready} of ${size} instances are available`,
    });
  }

  /** Runs once before the Memcached is deleted. Release resources outside Kubernetes here. */
  private async finalize(owner: Memcached): Promise<void> {
    if (!owner.metadata.finalizers?.includes(finalizer)) return;
    const message = `Memcached ${owner.metadata.name} is being deleted`;
    const degraded = await this.writeCondition(owner, {
      type: "Degraded",
      status: "True",
      reason: "Finalizing",
      message,
    });
    this.events.event(owner, "Warning", "Deleting", "Delete", message);
    removeFinalizer(degraded, finalizer);
    await this.client.update(Memcached, degraded);
  }

  /** Writes the status if the condition changes it. */
  private async writeCondition(owner: Memcached, condition: NewCondition): Promise<Memcached> {
    const changed = structuredClone(owner);
    const observedGeneration = owner.metadata.generation;
    if (!setStatusCondition(changed, { ...condition, observedGeneration })) return owner;
    return this.client.status.update(Memcached, changed);
  }

  private deploymentFor(owner: Memcached): Deployment {
    const labels = {
      "app.kubernetes.io/name": "images",
      "app.kubernetes.io/instance": owner.metadata.name ?? "",
      "app.kubernetes.io/version": versionOf(this.image),
      "app.kubernetes.io/managed-by": "MemcachedReconciler",
    };
    const deployment: Deployment = {
      metadata: { ...objectKey(owner), labels },
      spec: {
        replicas: sizeOf(owner),
        selector: { matchLabels: { "app.kubernetes.io/instance": labels["app.kubernetes.io/instance"] } },
        template: {
          metadata: { labels },
          spec: {
            securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
            containers: [
              {
                name: "memcached",
                image: this.image,
                imagePullPolicy: "IfNotPresent",
                command: ["memcached", "--memory-limit=64", "-o", "modern", "-v"],
                ports: [{ name: "memcached", containerPort: owner.spec.containerPort ?? 11211 }],
                securityContext: {
                  runAsUser: 1001,
                  runAsNonRoot: true,
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: ["ALL"] },
                },
              },
            ],
          },
        },
      },
    };
    setControllerReference(owner, deployment);
    return deployment;
  }
}

function sizeOf(owner: Memcached): number {
  return owner.spec.size ?? 1;
}

/** Returns the tag of an image as a label value: `registry:5000/app:1.2@sha256:…` → `1.2`. */
function versionOf(image: string): string {
  const name = image.split("@")[0]?.split("/").at(-1) ?? "";
  return name.split(":")[1] ?? "latest";
}
