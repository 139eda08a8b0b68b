import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "../call/call.ts";

/** Refuses an object that is not the one at the URL. */
export function checkName(call: Call, { metadata: { name, namespace } }: UnstructuredObject): void {
  if (namespace && namespace !== call.namespace && call.entry.resource.namespaced)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (!name)
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
}
