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
import { HTTPRoute } from "../api/v1/zz_generated.kinds.ts";

/** Reconciles httproutes. */
export class HTTPRouteReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes/finalizers,verbs=update
  /** Runs after each change and after a restart: compares the desired with the current state and takes the next step. */
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const httpRoute = await this.client.getOrUndefined(HTTPRoute, req);
    if (!httpRoute) return {}; // deleted; its owned objects are deleted with it

    // Add your code here: create and update objects, then write the status. Throw an Error to retry with backoff.
    ctx.log.info("Reconciling HTTPRoute", { generation: httpRoute.metadata.generation });
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(HTTPRoute).named("httproute").complete(this);
  }
}
