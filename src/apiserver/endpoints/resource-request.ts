import type { ServerRequest } from "../api-server.ts";
import { methodNotAllowed, noSuchResource, notFound, notImplemented, qualified } from "../refusals.ts";
import { whyUnserved } from "../registry/builtin-rows.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { Call, ServerCore } from "../verbs/request/call.ts";
import { TurnBudget } from "../../apimachinery/turn-budget.ts";
import { isTrue } from "../verbs/request/selection.ts";
import { ApiError, failure, type Status } from "../../apimachinery/status.ts";
import { parseFieldSelector } from "../../apimachinery/selectors.ts";
import type { ResourceAttributes } from "../access/authorization.ts";

/** The resource, object or subresource that a URL under `/api` and `/apis` names. */
export interface ResourceTarget {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Paths whose rest belongs to another server, and may have empty parts. */
const behindProxy = /(\/(?:nodes|pods|services)\/[^/]+\/proxy)\/.*$/;

/** Parses a path like `/apis/apps/v1/namespaces/a/deployments/b/scale`; `undefined` if it names no resource. */
export function parseTarget(path: string): ResourceTarget | undefined {
  const decoded = path.includes("%") ? decode(path) : path;
  const whole = decoded.endsWith("/") ? decoded.replace(/\/+$/, "") : decoded;
  const own = whole.includes("/proxy/") ? whole.replace(behindProxy, "$1") : whole;
  const parts = own.split("/");
  const root = parts[1];
  if ((root !== "api" && root !== "apis") || parts.includes("", 1)) return undefined;
  let at = 2;
  const group = root === "api" ? "" : parts[at++];
  const version = parts[at++];
  if (group === undefined || version === undefined || at >= parts.length) return undefined;
  return { group, version, ...parseResource(parts, at) };
}

function parseResource(parts: readonly string[], at: number): Omit<ResourceTarget, "group" | "version"> {
  const third = parts[at + 2];
  // `namespaces/a/status` and `/finalize` are the namespace's own subresources, anything else is a resource in it.
  const inNamespace = parts[at] === "namespaces" && third !== undefined && third !== "status" && third !== "finalize";
  const start = inNamespace ? at + 2 : at;
  return {
    namespace: inNamespace ? parts[at + 1] : undefined,
    plural: parts[start] ?? "",
    name: parts[start + 1],
    subresource: parts.length > start + 2 ? parts.slice(start + 2).join("/") : undefined,
  };
}

/** Decodes an escaped slash like any other slash. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return ""; // a broken escape names nothing, like any other unknown path
  }
}

/** Returns the verb of a request, as RBAC, discovery and admission name it. */
export function verbOf(method: string, { name = "" }: ResourceTarget, query: URLSearchParams): string {
  const isCollection = name === "";
  switch (method) {
    case "GET":
    case "HEAD":
      if (isCollection && isTrue(query.get("watch"))) return "watch";
      return isCollection ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isCollection ? "deletecollection" : "delete";
    default:
      return "";
  }
}

/**
 * Finds the resource of a request. Returns `undefined` for unknown groups and unknown resources of CRD groups, to which a
 * server responds with a plain 404; throws all other refusals.
 */
export function findCall(
  core: ServerCore,
  request: ServerRequest,
  target: ResourceTarget,
  query: URLSearchParams,
): Call | undefined {
  const { group, version, plural, namespace, name = "", subresource } = target;
  const entry = core.registry.find(group, version, plural);
  if (!entry || subresource !== undefined) refuseUnserved(target);
  if (!entry || !isReachable(target, entry.resource, request.method)) {
    if (!core.registry.isBuiltinGroup(group)) return undefined;
    throw entry && name === "" ? methodNotAllowed() : noSuchResource();
  }
  if (subresource !== undefined && !entry.resource.subresources.some((served) => served.name === subresource))
    throw entry.resource.custom ? notFound(entry.resource, name) : noSuchResource();
  const collection = core.store.collection(entry.storage);
  return {
    core,
    request,
    entry,
    collection,
    namespace,
    name,
    subresource,
    query,
    warnings: [],
    turns: new TurnBudget(),
    changes: [],
    webhookCalls: core.host.onAudit && [],
  };
}

/** Reports whether a path may name the resource: outside a namespace, namespaced objects can only be listed. */
function isReachable({ namespace, name }: ResourceTarget, { namespaced }: ServedResource, method: string): boolean {
  if (!namespaced) return namespace === undefined;
  return namespace !== undefined || (name === undefined && method === "GET");
}

const notServed = "NotServed";

/** Subresources that connect to a running container or to a port of one. */
const connections = new Set(["attach", "exec", "portforward", "proxy"]);
const connectable = new Set(["nodes", "pods", "services"]);

/** Refuses a part of Kubernetes that this server leaves out, to distinguish it from a typing error. */
function refuseUnserved(target: ResourceTarget): void {
  const { group, plural, subresource = "" } = target;
  const [part = ""] = subresource.split("/");
  const isPod = plural === "pods" && part !== "proxy";
  if (group === "" && connectable.has(plural) && connections.has(part) && !isPod)
    throw notImplemented(`${plural}/${part} is not served: no containers run here`);
  const why = whyUnserved(target);
  if (why === undefined) return;
  const message = `${qualified(target)} in ${target.version} are not served: ${why}`;
  throw new ApiError(failure("NotFound", message, { causes: [{ reason: notServed, message: why }] }));
}

/** Reports whether a refusal is due to a part of Kubernetes that this server leaves out. */
export function isUnserved({ reason, details }: Status): boolean {
  return reason === "NotImplemented" || details?.causes?.[0]?.reason === notServed;
}

/** Returns the attributes by which a request is authorized, before anything is looked up. */
export function resourceAttributes(
  target: ResourceTarget,
  verb: string,
  query: URLSearchParams,
): Omit<ResourceAttributes, "user"> {
  const { group, version, plural: resource, subresource, name = selectedName(verb, query) } = target;
  // A namespace belongs to itself: a RoleBinding in it may allow to read it.
  const namespace = group === "" && resource === "namespaces" ? target.name : target.namespace;
  return { verb, group, version, resource, subresource, namespace, name };
}

/** Returns the only object that a list or watch selects, so that rules with resource names cover it. */
function selectedName(verb: string, query: URLSearchParams): string | undefined {
  const text = query.get("fieldSelector");
  if (!text || (verb !== "list" && verb !== "watch")) return undefined;
  try {
    const isName = ({ field, operator }: { field: string; operator: string }): boolean =>
      field === "metadata.name" && operator === "=";
    return parseFieldSelector(text).find(isName)?.value;
  } catch {
    // The list refuses the selector.
    return undefined;
  }
}
