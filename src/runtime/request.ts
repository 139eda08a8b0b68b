import type { ObjectKey } from "../apimachinery/meta.ts";

/** Names the object to reconcile; says nothing of what happened to it. */
export type Request = ObjectKey;

/** Two requests with the same key are the same request. */
export function requestKey(request: Request): string {
  return request.namespace ? `${request.namespace}/${request.name}` : request.name;
}
