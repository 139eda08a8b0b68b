import { badRequest, bareError, notFound } from "../../refusals.ts";
import type { Answer } from "../call/answer.ts";
import { keyOf, type Call } from "../call/call.ts";
import { invalidRevision, refuseFuture } from "../options/list-options.ts";
import { isTrue } from "../options/watch-options.ts";
import { partOf } from "../body/part.ts";

/** GET of one object, or of a subresource of it. */
export async function get(call: Call): Promise<Answer> {
  checkOptions(call);
  const stored = call.collection.get(keyOf(call));
  if (!stored) throw notFound(call.entry.resource, call.name);
  await call.entry.load?.([stored]);
  return { type: "object", code: 200, body: partOf(call).show(call.entry.read(stored)) };
}

/** Any state that is not older than the asked one will do, and the newest is. */
function checkOptions(call: Call): void {
  const { query } = call;
  if (query.size === 0) return;
  if (isTrue(query.get("export")))
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  const version = query.get("resourceVersion") ?? "";
  if (!/^\d*$/.test(version)) throw bareError(invalidRevision(version));
  refuseFuture(call, Number(version));
}
