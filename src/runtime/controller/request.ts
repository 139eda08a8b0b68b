import type { ObjectKey } from "../../apimachinery/meta.ts";
import { sortMembers } from "../../apimachinery/sort-members.ts";

/** The key of the object to reconcile, without the change. */
export type Request = ObjectKey;

/** Returns the key of a request: requests with the same key are equal. */
export function requestKey(request: Request): string {
  return request.namespace ? `${request.namespace}/${request.name}` : request.name;
}

/** Returns the key of a request of any type: requests with equal content are equal. */
export function structuralKey(request: unknown): string {
  return typeof request === "string" ? request : JSON.stringify(sortMembers(request));
}
