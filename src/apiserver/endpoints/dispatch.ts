import { methodNotAllowed, notSupported } from "../refusals.ts";
import type { Answer, Call } from "../verbs/request/call.ts";
import { createPart } from "../verbs/subresources/create-part.ts";
import { create } from "../verbs/write/create.ts";
import { deleteCollection, deleteOne } from "../verbs/write/delete.ts";
import { get, list } from "../verbs/read/get-or-list.ts";
import { podLog } from "../verbs/subresources/pod-log.ts";
import { patch } from "../verbs/write/patch.ts";
import { update } from "../verbs/write/update.ts";
import { isReview, review } from "../verbs/subresources/review.ts";
import { isTrue } from "../verbs/request/query.ts";
import { watch } from "../verbs/read/watch.ts";

/** The verb of a request, as RBAC, discovery and admission name it. */
export function verbOf(call: Call): string {
  const collection = call.name === "";
  switch (call.request.method) {
    case "GET":
    case "HEAD":
      if (call.watchPath || (collection && isTrue(call.query.get("watch")))) return "watch";
      return collection ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return collection ? "deletecollection" : "delete";
    default:
      return "";
  }
}

const methods = { collection: new Set(["GET", "POST", "DELETE"]), object: new Set(["GET", "PUT", "PATCH", "DELETE"]) };

/** Built-in resources have routes, and custom ones have not: these read the verb, whatever the method. */
function takesMethod({ request, name, subresource, watchPath }: Call): boolean {
  if (subresource !== undefined || watchPath)
    return request.method !== "HEAD" && (!watchPath || request.method === "GET");
  return methods[name === "" ? "collection" : "object"].has(request.method);
}

/** Runs the verb of a request. */
export async function dispatch(call: Call, verb: string): Promise<Answer> {
  const served = call.subresource
    ? call.entry.resource.subresources.find(({ name }) => name === call.subresource)
    : call.entry.resource;
  const { custom } = call.entry.resource;
  if (!served?.verbs.includes(verb)) throw custom ? notSupported(call.entry.resource, verb) : methodNotAllowed();
  if (!custom && !takesMethod(call)) throw methodNotAllowed();
  const { subresource, namespace, name } = call;
  const cutAfter = await call.core.faults.strike({
    verb,
    resource: call.entry.storage.plural,
    subresource,
    namespace,
    name,
  });
  switch (verb) {
    case "get":
      return call.subresource === "log" ? podLog(call) : get(call);
    case "list":
      return list(call);
    case "watch":
      return watch(call, cutAfter);
    case "create":
      if (isReview(call)) return review(call);
      return call.subresource ? createPart(call) : create(call);
    case "update":
      return update(call);
    case "patch":
      return patch(call);
    case "delete":
      return deleteOne(call);
    case "deletecollection":
      return deleteCollection(call);
    default:
      throw methodNotAllowed();
  }
}
