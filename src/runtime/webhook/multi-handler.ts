import type { JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { admission, type AdmissionHandler } from "./admission.ts";

/**
 * Combines handlers that change objects. Each sees the original object, their patches are joined in order, and the
 * first refusal is returned.
 *
 * @example
 * mgr.webhookServer.register("/mutate-pods", multiMutatingHandler(addSidecar, addLabels));
 */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return oneAfterTheOther(handlers);
}

/**
 * Combines handlers that validate. The first refusal is returned. The handlers must not patch.
 *
 * @example
 * mgr.webhookServer.register("/validate-pods", multiValidatingHandler(checkImages, checkLimits));
 */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  const all = oneAfterTheOther(handlers);
  return async (request, ctx) => {
    const { patch: _none, ...response } = await all(request, ctx);
    return response;
  };
}

function oneAfterTheOther(handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, ctx) => {
    const patch: JsonPatchOperation[] = [];
    const warnings: string[] = [];
    for (const handler of handlers) {
      const response = await handler(request, ctx);
      if (!response.allowed) return response;
      patch.push(...(response.patch ?? []));
      warnings.push(...(response.warnings ?? []));
    }
    return { ...admission.allowed(), patch, warnings };
  };
}
