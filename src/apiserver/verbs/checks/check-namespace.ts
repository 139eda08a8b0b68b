import { ApiError } from "../../../apimachinery/status.ts";
import { forbidden, notFound } from "../../refusals.ts";
import type { Call } from "../call/call.ts";

const namespaces = { group: "", plural: "namespaces" };

/** Nothing is created in a namespace that is not there, or that is going. */
export function checkNamespace(call: Call, object: string): void {
  if (!call.entry.resource.namespaced) return;
  const name = call.namespace ?? "";
  const namespace = call.core.store.collection(namespaces).get(name);
  if (!namespace) throw notFound(namespaces, name);
  if (!namespace.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const refusal = forbidden(call.entry.resource, object, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${name} is being terminated`,
    field: "metadata.namespace",
  };
  throw new ApiError({ ...refusal.status, details: { ...refusal.status.details, causes: [cause] } });
}
