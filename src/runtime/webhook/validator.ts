import type { KubeObject } from "../../apimachinery/meta.ts";
import { admission, type AdmissionContext, type AdmissionHandler } from "./admission.ts";

/** Warnings that kubectl shows to the user. */
export type Warnings = readonly string[] | void;

/**
 * Validates objects: a method rejects by throwing an Error or AdmissionError with the reason. A missing method allows.
 */
export interface Validator<T extends KubeObject = KubeObject> {
  validateCreate?(object: T, ctx: AdmissionContext<T>): Warnings | Promise<Warnings>;
  validateUpdate?(objectOld: T, objectNew: T, ctx: AdmissionContext<T>): Warnings | Promise<Warnings>;
  validateDelete?(object: T, ctx: AdmissionContext<T>): Warnings | Promise<Warnings>;
}

/** Calls the method of a validator for the operation. */
export function validatorHandler<T extends KubeObject>(validator: Validator<T>): AdmissionHandler {
  return async (request, context) => {
    const ctx = context as unknown as AdmissionContext<T>;
    const { object, oldObject, operation } = ctx.request;
    const needed: Readonly<Record<string, readonly unknown[]>> = {
      CREATE: [object],
      UPDATE: [object, oldObject],
      DELETE: [oldObject],
      CONNECT: [],
    };
    if (needed[operation]?.includes(undefined)) return admission.errored(400, "there is no content to decode");
    switch (operation) {
      case "CREATE":
        return allow(await validator.validateCreate?.(object!, ctx));
      case "UPDATE":
        return allow(await validator.validateUpdate?.(oldObject!, object!, ctx));
      case "DELETE":
        return allow(await validator.validateDelete?.(oldObject!, ctx));
      case "CONNECT":
        return admission.allowed();
      default:
        return admission.errored(400, `unknown operation "${String(operation)}"`);
    }
  };
}

function allow(warnings: Warnings): ReturnType<typeof admission.allowed> {
  return { ...admission.allowed(), ...(warnings?.length ? { warnings } : {}) };
}
