import { failure, isApiError } from "../apimachinery/status.ts";
import type { ServerRequest, ServerResponse } from "./api-server.ts";
import { negotiate } from "./codec/negotiate.ts";
import { metaEndpoint } from "./meta-endpoints.ts";
import { noSuchResource } from "./refusals.ts";
import { respond, respondStatus } from "./respond.ts";
import type { Call } from "./verbs/call.ts";
import { dispatch, verbOf } from "./verbs/dispatch.ts";
import { parseTarget } from "./verbs/parse-target.ts";
import type { ServerCore } from "./verbs/server-core.ts";

/** Answers any request; what goes wrong is a Status. */
export async function route(core: ServerCore, request: ServerRequest): Promise<ServerResponse> {
  try {
    const [path, query] = splitUrl(request.url);
    const meta = metaEndpoint(core, request, path);
    if (meta) return meta;
    const call = findCall(core, request, path, query);
    if (!call) return pageNotFound;
    const output = negotiate(request.headers["accept"]);
    return respond(call, await dispatch(call, verbOf(call)), output);
  } catch (error) {
    if (isApiError(error)) return respondStatus(error.status);
    return respondStatus(failure("InternalError", `Internal error occurred: ${String(error)}`));
  }
}

const pageNotFound: ServerResponse = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  body: "404 page not found\n",
};

function splitUrl(url: string): [path: string, query: URLSearchParams] {
  const at = url.indexOf("?");
  return at < 0 ? [url, new URLSearchParams()] : [url.slice(0, at), new URLSearchParams(url.slice(at + 1))];
}

/** `undefined` for what gets the plain 404: unknown groups, and unknown resources of CRD groups. */
function findCall(core: ServerCore, request: ServerRequest, path: string, query: URLSearchParams): Call | undefined {
  const target = parseTarget(path);
  if (!target) return undefined;
  const { group, version, plural, namespace, name = "", subresource } = target;
  const entry = core.registry.find(group, version, plural);
  const scopeFits = entry && (entry.resource.namespaced || namespace === undefined);
  const subresourceFits = !subresource || entry?.resource.subresources.some((served) => served.name === subresource);
  // An object of a namespaced kind has no path outside a namespace.
  const reachable =
    entry && (!entry.resource.namespaced || namespace !== undefined || (name === "" && request.method === "GET"));
  if (!entry || !scopeFits || !subresourceFits || !reachable) {
    if (core.registry.isBuiltinGroup(group)) throw noSuchResource();
    return undefined;
  }
  if (target.watchPath) query.set("watch", "true");
  const collection = core.store.collection(entry.storage);
  return { core, request, entry, collection, namespace, name, subresource, query, warnings: [] };
}
