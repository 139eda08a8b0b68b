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
  extractApplied,
  setControllerReference,
  type ApplyConfiguration,
  type Client,
  type Controller,
  type Manager,
  type Named,
  type Reader,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { ConfigMap } from "tsop/k8s/core/v1";
import { Frigate } from "../api/v1alpha1/zz_generated.kinds.ts";

/** The name in metadata.managedFields of the fields that this controller owns. */
const fieldOwner = "frigate-controller";

/** Reconciles frigates: applies the fields that it owns, and leaves those of others. */
export class FrigateReconciler implements Reconciler {
  private readonly client: Client;
  private readonly apiReader: Reader;

  /** `mgr.apiReader` returns metadata.managedFields, which the cache of `mgr.client` leaves out. */
  constructor(client: Client, apiReader: Reader) {
    this.client = client;
    this.apiReader = apiReader;
  }

  // +kubebuilder:rbac:groups=cache.example.com,resources=frigates,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=cache.example.com,resources=frigates/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=cache.example.com,resources=frigates/finalizers,verbs=update
  // +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;patch
  /** Runs after each change and after a restart: compares the desired with the current state and takes the next step. */
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const frigate = await this.client.getOrUndefined(Frigate, req);
    if (!frigate || frigate.metadata.deletionTimestamp) return {}; // its owned objects are deleted with it

    // Add your code here: change configMapFor, apply other objects, then write the status. Throw an Error to retry with
    // backoff.
    const desired = configMapFor(frigate);
    const live = await this.apiReader.getOrUndefined(ConfigMap, desired.metadata);
    if (live && equalJson(extractApplied(live, fieldOwner), desired)) return {};
    ctx.log.info("Applying the ConfigMap", { name: desired.metadata.name });
    await this.client.apply(ConfigMap, desired, { fieldOwner, force: true });
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    const builder = controllerManagedBy(mgr).for(Frigate).owns(ConfigMap, { metadataOnly: true });
    return builder.named("frigate").complete(this);
  }
}

/** Returns the fields of the ConfigMap that the controller owns. Leave a field out to remove it from the object. */
function configMapFor(frigate: Named<Frigate>): ApplyConfiguration<ConfigMap> {
  const { name } = frigate.metadata;
  const { foo } = frigate.spec;
  const configMap: ApplyConfiguration<ConfigMap> = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-frigate`, namespace: "default" },
    ...(foo === undefined ? {} : { data: { foo } }),
  };
  setControllerReference(frigate, configMap);
  return configMap;
}
