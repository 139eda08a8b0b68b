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
  enqueueForObject,
  equalJson,
  fleetControllerManagedBy,
  labelSelectorPredicate,
  type Controller,
  type Fleet,
  type FleetRequest,
  type ReconcileContext,
  type Reconciler,
  type Result,
} from "tsop";
import { ConfigMap } from "tsop/k8s/core/v1";

/** ConfigMaps of the hub with this label are copied to all clusters of the fleet. */
export const spread = { "spread.example.com/to": "all-clusters" };

/** The label of the copies; other ConfigMaps of a cluster are never touched. */
const copied = { "app.kubernetes.io/managed-by": "configmap-spreader" };

/** Keeps copies of the hub's labeled ConfigMaps in each cluster. */
export class ConfigMapReconciler implements Reconciler<FleetRequest> {
  private readonly fleet: Fleet;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  // +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch
  // +kubebuilder:rbac:groups=core,resources=secrets,verbs=get;list;watch,namespace=system
  async reconcile({ cluster, ...key }: FleetRequest, { signal, log }: ReconcileContext): Promise<Result> {
    const { client } = this.fleet.cluster(cluster);
    const source = await this.fleet.hub.client.getOrUndefined(ConfigMap, key, { signal });
    const copy = await client.getOrUndefined(ConfigMap, key, { signal });
    if (copy && !has(copy, copied)) return {}; // the cluster's own ConfigMap of this name stays

    // The cache of the cluster may be behind. Each write fails if the ConfigMap is not the one read here, and the retry
    // reads the new state; a write that forces its values would overwrite a ConfigMap that the cluster has just created.
    if (!source || !has(source, spread)) {
      if (!copy) return {};
      const { uid, resourceVersion } = copy.metadata;
      await client.delete(ConfigMap, key, { preconditions: { uid, resourceVersion }, signal });
      log.info("Deleted the copy");
    } else if (!copy) {
      await client.create(ConfigMap, { metadata: { ...key, labels: copied }, ...contents(source) }, { signal });
      log.info("Created the copy");
    } else if (!equalJson(contents(copy), contents(source))) {
      await client.update(ConfigMap, { ...copy, ...contents(source) }, { signal });
      log.info("Updated the copy");
    }
    return {};
  }

  setupWithFleet(fleet: Fleet): Promise<Controller<FleetRequest>> {
    return (
      fleetControllerManagedBy(fleet)
        .named("configmap")
        // A label that is removed from a source counts as well, so that all ConfigMaps of the hub are looked at.
        .watchesHub(ConfigMap, enqueueForObject())
        .watches(ConfigMap, enqueueForObject(), { predicates: [labelSelectorPredicate({ matchLabels: copied })] })
        .withOptions({ maxConcurrentReconciles: 4 })
        .complete(this)
    );
  }
}

function has({ metadata }: ConfigMap, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
}

function contents({ data = {}, binaryData = {} }: ConfigMap) {
  return { data, binaryData };
}
