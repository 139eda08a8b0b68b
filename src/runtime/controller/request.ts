import type { ObjectKey } from "../../apimachinery/meta.ts";
import { sortMembers } from "../../apimachinery/sort-members.ts";

/** Names the object to reconcile; says nothing of what happened to it. */
export type Request = ObjectKey;

/** Two requests with the same key are the same request. */
export function requestKey(request: Request): string {
  return request.namespace ? `${request.namespace}/${request.name}` : request.name;
}

/** The same for requests of any other type: those that say the same are the same. */
export function structuralKey(request: unknown): string {
  return typeof request === "string" ? request : JSON.stringify(sortMembers(request));
}
