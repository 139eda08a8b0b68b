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

/** Brings the cluster to what httproutes ask for. */
export class HTTPRouteReconciler implements Reconciler {
  constructor(private readonly client: Client) {}

  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=app.example.com,resources=httproutes/finalizers,verbs=update
  /** Called for each change, and after a restart: compares what is wanted with what is there, and takes the next step. */
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const httpRoute = await this.client.getOrUndefined(HTTPRoute, req);
    if (!httpRoute) return {}; // deleted meanwhile; what it owns goes with it

    // Your code: create and update objects, then write the status. Throw to be called again with backoff.
    ctx.log.info("Reconciling HTTPRoute", { generation: httpRoute.metadata.generation });
    return {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(HTTPRoute).named("httproute").complete(this);
  }
}
