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
  type Client,
  type Controller,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Frigate } from "../../api/ship/v1beta1/zz_generated.kinds.ts";

/** Reconciles frigates. */
export class FrigateReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=ship.example.com,resources=frigates,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=ship.example.com,resources=frigates/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=ship.example.com,resources=frigates/finalizers,verbs=update
  /** Runs after each change and after a restart: compares the desired with the current state and takes the next step. */
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const frigate = await this.client.getOrUndefined(Frigate, req);
    if (!frigate) return {}; // deleted; its owned objects are deleted with it

    // Add your code here: create and update objects, then write the status. Throw an Error to retry with backoff.
    ctx.log.info("Reconciling Frigate", { generation: frigate.metadata.generation });
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(Frigate).named("ship-frigate").complete(this);
  }
}
