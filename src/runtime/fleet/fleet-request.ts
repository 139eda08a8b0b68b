import { requestKey, type Request } from "../controller/request.ts";

/** The object to reconcile, and its cluster. */
export interface FleetRequest extends Request {
  /** The name of the cluster; `""` is the hub. */
  readonly cluster: string;
}

/** A request that a handler makes: without a cluster it concerns the cluster of the event. */
export type RequestInFleet = Request & { readonly cluster?: string };

/** Returns the key of a request: requests with the same key are equal. */
export function fleetRequestKey(request: FleetRequest): string {
  // No name contains a line end.
  return `${request.cluster}\n${requestKey(request)}`;
}
