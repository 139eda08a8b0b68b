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
  cloneJson,
  controllerManagedBy,
  controllerOf,
  createOrUpdate,
  equalJson,
  ignoreNotFound,
  setCondition,
  setControllerReference,
  type Client,
  type Controller,
  type Manager,
  type Named,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { Service, type ServicePort } from "tsop/k8s/core/v1";
import { TDSet } from "../api/v1/zz_generated.kinds.ts";
import { replicasAt } from "./replicas-at.ts";

/** Manages a Deployment whose size follows the hour of the day. */
export class TDSetReconciler implements Reconciler {
  private readonly client: Client;
  private readonly now: () => Date;

  constructor(client: Client, now: () => Date = () => new Date()) {
    this.client = client;
    this.now = now;
  }

  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets,verbs=get;list;watch
  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update
  // +kubebuilder:rbac:groups=core,resources=services,verbs=get;list;watch;create;update;delete
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const tdset = await this.client.getOrUndefined(TDSet, req);
    if (!tdset || tdset.metadata.deletionTimestamp) return {}; // deleted; its owned objects are deleted with it
    const replicas = replicasAt(tdset.spec, this.now().getUTCHours());
    const deployment = await this.ensureDeployment(tdset, replicas, ctx);
    await this.ensureService(tdset);
    await this.report(tdset, replicas, deployment);
    return { requeueAfter: (tdset.spec.intervalMint ?? 1) * 60_000 };
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(TDSet).owns(Deployment).owns(Service).named("tdset").complete(this);
  }

  /** Creates the Deployment, or reverts changes to it. A conflict leads to another reconcile. */
  private async ensureDeployment(tdset: Named<TDSet>, replicas: number, ctx: ReconcileContext): Promise<Deployment> {
    const { image, port } = tdset.spec.container;
    const wanted = deploymentFor(tdset);
    const { object, operation } = await createOrUpdate(this.client, Deployment, wanted, (deployment) => {
      deployment.spec!.replicas = replicas;
      const [container] = deployment.spec!.template.spec!.containers;
      container!.image = image;
      container!.ports = [{ ...container!.ports?.[0], containerPort: port }]; // keeps the defaults of the server
      setControllerReference(tdset, deployment);
    });
    if (operation !== "unchanged") ctx.log.info("Wrote the Deployment", { operation, replicas, image });
    return object;
  }

  /** Creates the Service, or reverts changes to it; deletes it if the spec no longer has one. */
  private async ensureService(tdset: Named<TDSet>): Promise<void> {
    const { service: wanted, container } = tdset.spec;
    if (!wanted) return this.deleteService(tdset);
    await createOrUpdate(this.client, Service, serviceFor(tdset), (service) => {
      const { nodePort, ...known }: Partial<ServicePort> = service.spec!.ports?.[0] ?? {};
      const port = { ...known, port: wanted.port, targetPort: container.port };
      switch (wanted.type) {
        case "NodePort":
          service.spec!.type = "NodePort";
          service.spec!.ports = [{ ...port, nodePort: wanted.nodePort ?? nodePort }]; // keeps the one of the cluster
          break;
        case "ClusterIP":
        case undefined:
          service.spec!.type = "ClusterIP";
          service.spec!.ports = [port];
      }
      setControllerReference(tdset, service);
    });
  }

  private async deleteService(tdset: Named<TDSet>): Promise<void> {
    const service = await this.client.getOrUndefined(Service, tdset.metadata);
    if (!service || controllerOf(service)?.uid !== tdset.metadata.uid) return; // somebody else's
    const { uid, resourceVersion } = service.metadata;
    await this.client.delete(Service, service, { preconditions: { uid, resourceVersion } }).catch(ignoreNotFound);
  }

  private async report(tdset: Named<TDSet>, replicas: number, deployment: Deployment): Promise<void> {
    const conditions = cloneJson(tdset.status?.conditions ?? []);
    setCondition(conditions, availability(deployment, replicas, tdset.metadata.generation));
    const status = { replicas, conditions };
    if (!equalJson(status, tdset.status)) await this.client.status.update(TDSet, { ...tdset, status });
  }
}

function availability(deployment: Deployment, replicas: number, generation: number | undefined): NewCondition {
  const available = deployment.status?.availableReplicas ?? 0;
  const enough = available >= replicas;
  return {
    type: "Available",
    status: enough ? "True" : "False",
    reason: enough ? "MinimumReplicasAvailable" : "WaitingForReplicas",
    message: `${available} of ${replicas} replicas are available`,
    observedGeneration: generation,
  };
}

/** Returns what ensureDeployment writes only once; it adds what it keeps up to date. */
function deploymentFor({ metadata }: Named<TDSet>): Deployment {
  const labels = labelsOf(metadata.name);
  return {
    metadata: { name: metadata.name, namespace: metadata.namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "tdset" }] } },
    },
  };
}

function serviceFor({ metadata }: Named<TDSet>): Service {
  return {
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec: { selector: labelsOf(metadata.name) },
  };
}

function labelsOf(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "tdset", "app.kubernetes.io/instance": name };
}
