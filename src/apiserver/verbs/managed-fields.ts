import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { trackUpdate } from "../ssa/track-update.ts";
import type { Call } from "./call.ts";
import { timestamp } from "./server-core.ts";

/** Who writes: `?fieldManager=`, or the name of the client's program. */
export function fieldManager({ query, request }: Call): string {
  const named = query.get("fieldManager");
  if (named) return named;
  const [program = ""] = (request.headers["user-agent"] ?? "").split("/");
  return program.slice(0, 128) || "unknown";
}

/** Books a create, update or patch on its manager, in the object's managedFields. */
export function trackFields(call: Call, after: UnstructuredObject, before?: UnstructuredObject): void {
  const { resource } = call.entry;
  const entries = trackUpdate({
    schema: resource.schema(),
    before,
    after,
    manager: fieldManager(call),
    apiVersion: apiVersionOf(resource),
    subresource: call.subresource,
    now: timestamp(call.core.clock.now()),
  });
  if (entries.length) after.metadata.managedFields = entries;
  else delete after.metadata.managedFields;
}
