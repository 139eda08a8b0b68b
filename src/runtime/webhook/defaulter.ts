import { cloneJson } from "../../apimachinery/clone.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { admission, type AdmissionContext, type AdmissionHandler } from "./admission.ts";

/** Fills in the fields that a user left out. */
export interface Defaulter<T extends KubeObject = KubeObject> {
  /** Changes the object in place; called on create and update. Throwing refuses the request. */
  default(object: T, ctx: AdmissionContext<T>): void | Promise<void>;
}

/** Turns the changes of a defaulter into a patch. */
export function defaulterHandler<T extends KubeObject>(defaulter: Defaulter<T>): AdmissionHandler {
  return async (request, ctx) => {
    const { object } = request;
    if (request.operation === "DELETE") return admission.allowed();
    if (!object) return admission.errored(400, "there is no content to decode");
    const changed = cloneJson(object);
    await defaulter.default(changed as unknown as T, ctx as unknown as AdmissionContext<T>);
    return admission.patchedFrom(object, changed);
  };
}
