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
  controllerManagedBy,
  equalJson,
  objectKey,
  setCondition,
  setControllerReference,
  type Client,
  type Controller,
  type Manager,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { Service } from "tsop/k8s/core/v1";
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

  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=schedule.rs,resources=tdsets/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=core,resources=services,verbs=get;list;watch;create;update;patch;delete
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
  private async ensureDeployment(tdset: TDSet, replicas: number, ctx: ReconcileContext): Promise<Deployment> {
    const wanted = deploymentFor(tdset, replicas);
    const found = await this.client.getOrUndefined(Deployment, objectKey(tdset));
    if (!found) {
      ctx.log.info("Creating a Deployment", { replicas });
      return this.client.create(Deployment, wanted);
    }
    const container = found.spec?.template.spec?.containers[0];
    const { image, port } = tdset.spec.container;
    const isRight = container?.image === image && container.ports?.[0]?.containerPort === port;
    if (found.spec?.replicas === replicas && isRight) return found;
    ctx.log.info("Changing the Deployment", { from: found.spec?.replicas, to: replicas, image });
    return this.client.update(Deployment, {
      ...found,
      spec: { ...found.spec!, replicas, template: wanted.spec!.template },
    });
  }

  private async ensureService(tdset: TDSet): Promise<void> {
    if (!tdset.spec.service) return;
    const ports = [{ port: tdset.spec.service.port, targetPort: tdset.spec.container.port }];
    const found = await this.client.getOrUndefined(Service, objectKey(tdset));
    if (!found) {
      const { name, namespace } = tdset.metadata;
      const service: Service = {
        metadata: { name: name!, namespace: namespace! },
        spec: { selector: labelsOf(tdset), ports },
      };
      setControllerReference(tdset, service);
      await this.client.create(Service, service);
      return;
    }
    const [port] = found.spec?.ports ?? [];
    if (port?.port === ports[0]!.port && port.targetPort === ports[0]!.targetPort) return;
    await this.client.update(Service, { ...found, spec: { ...found.spec, ports } });
  }

  private async report(tdset: TDSet, replicas: number, deployment: Deployment): Promise<void> {
    const conditions = structuredClone(tdset.status?.conditions ?? []);
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
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

function deploymentFor(tdset: TDSet, replicas: number): Deployment {
  const { name, namespace } = tdset.metadata;
  const { image, port } = tdset.spec.container;
  const labels = labelsOf(tdset);
  const deployment: Deployment = {
    metadata: { name: name!, namespace: namespace!, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "tdset", image, ports: [{ containerPort: port }] }] },
      },
    },
  };
  setControllerReference(tdset, deployment);
  return deployment;
}

function labelsOf(tdset: TDSet): Record<string, string> {
  return { "app.kubernetes.io/name": "tdset", "app.kubernetes.io/instance": tdset.metadata.name! };
}
