import { effectiveUser } from "../access/impersonation.ts";
import type { AuditEvent } from "../audit/audit-event.ts";
import { requireAccess } from "../access/authorization.ts";
import type { ServerRequest, ServerResponse, User } from "../api-server.ts";
import { loadYamlReader } from "../codec/decode-body.ts";
import { methodNotAllowed, noSuchResource, notSupported, statusOf } from "../refusals.ts";
import { negotiate, notAcceptable, streamTypes, type OutputType } from "../representation/negotiate.ts";
import { respond, respondStatus } from "../representation/respond.ts";
import { get, list } from "../verbs/read/get-or-list.ts";
import { watch } from "../verbs/read/watch.ts";
import type { Answer, Call, ServerCore } from "../verbs/request/call.ts";
import { bindPod, isBinding } from "../verbs/subresources/bind-pod.ts";
import { createPart } from "../verbs/subresources/create-part.ts";
import { podConnect } from "../verbs/subresources/pod-connect.ts";
import { podLog } from "../verbs/subresources/pod-log.ts";
import { isReview, review } from "../verbs/subresources/review.ts";
import { create } from "../verbs/write/create.ts";
import { deleteCollection, deleteOne } from "../verbs/write/delete-objects.ts";
import { patch } from "../verbs/write/patch.ts";
import { update } from "../verbs/write/update.ts";
import { metaEndpoint, type Endpoints } from "./meta-endpoints.ts";
import {
  resourceAttributes,
  findCall,
  isUnserved,
  parseTarget,
  verbOf,
  type ResourceTarget,
} from "./resource-request.ts";

/** Responds to any request; an error becomes a Status. */
export async function route(endpoints: Endpoints, request: ServerRequest): Promise<ServerResponse> {
  const { clock, host, uid } = endpoints.core;
  const course: Course = { user: request.user, verb: request.method.toLowerCase() };
  if (!host.onAudit) return follow(endpoints, request, course);
  const received = clock.now();
  const response = await follow(endpoints, request, course);
  const { user, verb, target, access, call } = course;
  host.onAudit({
    id: request.headers["audit-id"] || uid(),
    request,
    response,
    user,
    verb,
    target: target && { ...target, resource: target.plural },
    access,
    received,
    answered: clock.now(),
    changes: call?.changes ?? [],
    webhookCalls: call?.webhookCalls ?? [],
  });
  return response;
}

/** The parts of a request that become known while it is handled. */
interface Course {
  user: User;
  verb: string;
  target?: ResourceTarget | undefined;
  access?: AuditEvent["access"];
  call?: Call | undefined;
  /** True once the user may do what they ask for. */
  isAllowed?: true;
}

async function follow(endpoints: Endpoints, request: ServerRequest, course: Course): Promise<ServerResponse> {
  const { core } = endpoints;
  const [path, query] = splitUrl(request.url);
  try {
    const target = (course.target = parseTarget(path));
    const verb = (course.verb = target ? verbOf(request.method, target, query) : course.verb);
    const action = (course.access = target && resourceAttributes(target, verb, query)) ?? { verb, path };
    const user = (course.user = effectiveUser(core.authorize, request));
    const acting = user === request.user ? request : { ...request, user, signal: request.signal };
    requireAccess(core, { ...action, user });
    course.isAllowed = true;
    if (!target) return metaEndpoint(endpoints, acting, path) ?? noEndpoint(core, path);
    const call = (course.call = findCall(core, acting, target, query));
    if (!call) return pageNotFound;
    const { deprecation } = call.entry.strategy;
    if (deprecation !== undefined) call.warnings.push(deprecation);
    const output = negotiateFor(call, verb);
    if (request.headers["content-type"]?.includes("yaml")) await loadYamlReader();
    const answer = await runVerb(call, verb);
    await call.turns.rest();
    return await respond(call, answer, output);
  } catch (error) {
    const status = statusOf(error);
    if (isUnserved(status)) core.host.onUnsupported?.({ method: request.method, path, message: status.message ?? "" });
    const refusal = respondStatus(request, status, course.call?.warnings);
    return course.isAllowed || status.code !== 403
      ? refusal
      : { ...refusal, headers: { ...refusal.headers, ...noSniff } };
  }
}

/** A header of all refusals of an authorizer, and of plain texts. */
const noSniff = { "x-content-type-options": "nosniff" };

function splitUrl(url: string): [path: string, query: URLSearchParams] {
  const at = url.indexOf("?");
  return at < 0 ? [url, new URLSearchParams()] : [url.slice(0, at), new URLSearchParams(url.slice(at + 1))];
}

/** Responds to an unknown path: below built-in groups and the version, a Status; elsewhere, plain text. */
function noEndpoint({ registry }: ServerCore, path: string): ServerResponse {
  const [, root, group = ""] = path.split("/");
  const isRouted =
    root === "apis" ? group !== "" && registry.isBuiltinGroup(group) : root === "api" || root === "version";
  if (isRouted) throw noSuchResource();
  return pageNotFound;
}

const plainText = { "content-type": "text/plain; charset=utf-8", ...noSniff };
const pageNotFound: ServerResponse = { status: 404, headers: plainText, body: "404 page not found\n" };

/** Negotiates the output. */
function negotiateFor({ entry, request, subresource }: Call, verb: string): OutputType {
  const { resource } = entry;
  const hasMessages = !resource.custom || subresource === "scale";
  const hasTables = verb !== "create" || (subresource === undefined && resource.verbs.includes("get"));
  const output = negotiate(request.headers["accept"], { hasMessages, hasTables });
  // The documents of a YAML stream have no boundary between events.
  if (verb === "watch" && output.mediaType === "application/yaml") throw notAcceptable(streamTypes);
  return output;
}

const methods = { collection: new Set(["GET", "POST", "DELETE"]), object: new Set(["GET", "PUT", "PATCH", "DELETE"]) };

/** Reports whether a built-in resource has a route for the method; custom ones have a verb for every method. */
function hasRoute({ request, name, subresource }: Call): boolean {
  if (subresource !== undefined) return request.method !== "HEAD";
  return methods[name === "" ? "collection" : "object"].has(request.method);
}

/** Reports whether a request is about the connection to a container. */
function connects({ entry, subresource }: Call): boolean {
  return !entry.resource.custom && subresource !== undefined && ["exec", "attach", "portforward"].includes(subresource);
}

async function runVerb(call: Call, verb: string): Promise<Answer> {
  const { entry, core, subresource, namespace, name, request } = call;
  const { resource } = entry;
  const served = subresource ? resource.subresources.find((each) => each.name === subresource) : resource;
  if (!served?.verbs.includes(verb)) throw resource.custom ? notSupported(resource, verb) : methodNotAllowed();
  if (!resource.custom && !hasRoute(call)) throw methodNotAllowed();
  const target = { verb, resource: entry.storage.plural, subresource, namespace, name, user: request.user.username };
  const cutAfter = await core.faults.strike(target);
  if (connects(call)) return podConnect(call);
  switch (verb) {
    case "get":
      return subresource === "log" ? podLog(call) : get(call);
    case "list":
      return list(call);
    case "watch":
      return watch(call, cutAfter);
    case "create":
      if (isReview(call)) return review(call);
      if (isBinding(call)) return bindPod(call);
      return subresource ? createPart(call) : create(call);
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
