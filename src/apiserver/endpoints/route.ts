import { failure, isApiError } from "../../apimachinery/status.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { negotiate, notAcceptable, streamTypes, type OutputType } from "../representation/negotiate.ts";
import { loadYamlReader } from "../codec/decode-body.ts";
import { actingUser } from "../access/authentication.ts";
import { metaEndpoint } from "./meta-endpoints.ts";
import { methodNotAllowed, noSuchResource, notFound } from "../refusals.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { respond, respondStatus } from "../representation/respond.ts";
import { checkTimeout } from "./request-timeout.ts";
import { written } from "../representation/written.ts";
import type { Call, ServerCore } from "../verbs/request/call.ts";
import { authorizeCall, authorizePath } from "./authorize-call.ts";
import { dispatch, verbOf } from "./dispatch.ts";
import { isUnsupported, refusalOfUnserved, refusalOfUnservedPath } from "./unsupported.ts";
import { parseTarget, type RequestTarget } from "./parse-target.ts";

/** Answers any request; what goes wrong is a Status. */
export async function route(core: ServerCore, request: ServerRequest): Promise<ServerResponse> {
  return written(request, await answer(core, request));
}

async function answer(core: ServerCore, request: ServerRequest): Promise<ServerResponse> {
  let call: Call | undefined;
  try {
    const [path, query] = splitUrl(request.url);
    const user = actingUser(request, core.authorize);
    const meta = metaEndpoint(core, request, path);
    const target = parseTarget(path);
    checkTimeout(query);
    if (meta || !target) authorizePath(core, { user, verb: request.method.toLowerCase(), path });
    if (meta) return meta;
    const refusal = target ? refusalOfUnserved(target) : refusalOfUnservedPath(path);
    if (refusal) throw refusal;
    const acting = user === request.user ? request : { ...request, user, signal: request.signal };
    call = target && findCall(core, acting, target, query);
    if (!call) {
      if (!target && hasRoutes(core, path)) throw noSuchResource();
      return pageNotFound;
    }
    const verb = verbOf(call);
    authorizeCall(call, verb);
    requireSubresource(call);
    const deprecation = deprecationWarning(call.entry.resource);
    if (deprecation) call.warnings.push(deprecation);
    const output = negotiateFor(call, verb);
    if (request.headers["content-type"]?.includes("yaml")) await loadYamlReader();
    return respond(call, await dispatch(call, verb), output);
  } catch (error) {
    const status = isApiError(error)
      ? error.status
      : failure("InternalError", `Internal error occurred: ${String(error)}`);
    const [path] = splitUrl(request.url);
    if (isUnsupported(status)) core.onUnsupported?.({ method: request.method, path, message: status.message ?? "" });
    return respondStatus(status, call?.warnings);
  }
}

/** What is told with every answer about a resource that nobody should use any more. */
function deprecationWarning({ custom, group, version, plural }: ServedResource): string | undefined {
  if (custom) return custom.deprecationWarning;
  const isEndpoints = group === "" && version === "v1" && plural === "endpoints";
  return isEndpoints ? "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice" : undefined;
}

/** For custom resources a real server has other words than for built-in ones. */
function negotiateFor({ entry, request, name, subresource }: Call, verb: string): OutputType {
  const isRouted = !entry.resource.custom;
  const streams = request.method === "GET" && name === "";
  const hasMessages = isRouted || subresource === "scale";
  const output = negotiate(request.headers["accept"], { isRouted, streams, hasMessages });
  // A stream of YAML documents nobody could tell apart.
  if (verb === "watch" && output.mediaType === "application/yaml") throw notAcceptable(streamTypes);
  return output;
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

/** Built-in groups and the version have routes, and what is below them without one is told so. */
function hasRoutes({ registry }: ServerCore, path: string): boolean {
  const [, root, group = ""] = path.split("/");
  if (root === "apis") return group !== "" && registry.isBuiltinGroup(group);
  return root === "api" || root === "version";
}

/** `undefined` for what gets the plain 404: unknown groups, and unknown resources of CRD groups. */
function findCall(
  core: ServerCore,
  request: ServerRequest,
  target: RequestTarget,
  query: URLSearchParams,
): Call | undefined {
  const { group, version, plural, namespace, name = "", subresource } = target;
  const entry = core.registry.find(group, version, plural);
  if (!entry || !reaches(target, entry.resource, request.method)) {
    if (!core.registry.isBuiltinGroup(group)) return undefined;
    throw entry && name === "" ? methodNotAllowed() : noSuchResource();
  }
  const collection = core.store.collection(entry.storage);
  const { watchPath } = target;
  return { core, request, entry, collection, namespace, name, subresource, watchPath, query, warnings: [] };
}

/** What a user may not do is refused before what there is not. */
function requireSubresource({ entry, subresource, name }: Call): void {
  if (!subresource || entry.resource.subresources.some((served) => served.name === subresource)) return;
  throw entry.resource.custom ? notFound(entry.resource, name) : noSuchResource();
}

/** Objects of a namespaced kind have no path outside a namespace, where they can only be listed. */
function reaches({ namespace, name }: RequestTarget, { namespaced }: ServedResource, method: string): boolean {
  if (!namespaced) return namespace === undefined;
  return namespace !== undefined || (name === undefined && method === "GET");
}
