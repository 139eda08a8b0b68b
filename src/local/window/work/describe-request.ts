import type { AuditEvent } from "../../../apiserver/audit/audit-event.ts";
import type { Requester, RequestRow } from "../contract.ts";

const writing = new Set(["update", "patch", "create", "delete", "deletecollection"]);

/** The user agent of the page's own writes. */
export const windowAgent = "tsop-ui";

/** Requests of an operator of this library outside of a reconcile, under the tool. */
const operatorAuditPrefix = "tsop-operator.";

/** Returns the line of a request. */
export function requestRow(n: number, event: AuditEvent, reconcile: string | undefined): RequestRow {
  const { request, response, user, verb, target, received, answered, changes, webhookCalls } = event;
  const flag = flagOf(event);
  return {
    n,
    at: received,
    took: Math.max(0, answered - received),
    verb,
    resource: target ? resourceText(target) : (request.url.split("?")[0] ?? ""),
    namespace: target?.namespace ?? "",
    name: target?.name ?? (changes.length === 1 ? nameOf(changes[0]!.key) : ""),
    user: user.username,
    client: clientOf(event),
    by: requesterOf(event, reconcile),
    status: response.status,
    size: typeof response.body === "string" ? response.body.length : 0,
    writes: changes.length,
    webhooks: webhookCalls.length,
    ...(reconcile !== undefined && { reconcile }),
    ...(flag && { flag }),
  };
}

/** Reports whether a request is worth a line; reads of the simulated control plane and of the page are not. */
export function isShown(event: AuditEvent): boolean {
  if (event.changes.length > 0 || event.response.status >= 400) return true;
  const agent = event.request.headers["user-agent"];
  return agent !== undefined && !agent.startsWith(windowAgent);
}

/** Returns the field manager of a request, by the rule of a real server. */
export function fieldManagerOf({ request }: AuditEvent): string {
  const query = new URLSearchParams(request.url.split("?")[1] ?? "");
  return query.get("fieldManager") || (request.headers["user-agent"]?.split("/")[0] ?? "");
}

function flagOf({ verb, request, response, target, changes }: AuditEvent): RequestRow["flag"] {
  const { status } = response;
  if (status === 409) return "conflict";
  if (status === 403 || status === 401) return "refused";
  if (status >= 400 && writing.has(verb)) return "failed";
  // Reviews and bindings create nothing, and a dry run must not.
  const stores = verb === "update" || verb === "patch";
  const isDry = request.url.includes("dryRun=");
  return stores && target && changes.length === 0 && status < 300 && !isDry ? "no-op" : undefined;
}

/** Programs that people use. */
const tools = /^(kubectl|k9s|helm|curl|flux|argocd|kustomize|stern|Headlamp|OpenLens|Lens|Mozilla|node-fetch)/i;

function requesterOf({ id, request, user }: AuditEvent, reconcile: string | undefined): Requester {
  const agent = request.headers["user-agent"];
  if (reconcile !== undefined || id.startsWith(operatorAuditPrefix)) return "operator";
  // The simulated control plane and the tool, which does what its user says, are in the server's process, without an agent.
  if (agent === undefined) return user.username.startsWith("system:") ? "cluster" : "people";
  if (agent.startsWith(windowAgent)) return "window";
  return tools.test(agent) && !user.username.startsWith("system:serviceaccount:") ? "people" : "operator";
}

function clientOf({ request, user }: AuditEvent): string {
  const agent = request.headers["user-agent"];
  if (agent !== undefined) return agent.split(/[/ ]/)[0] ?? agent;
  return user.username === "admin" ? "tsop" : user.username.replace(/^system:(serviceaccount:kube-system:)?/, "");
}

function resourceText({ resource, group, subresource }: NonNullable<AuditEvent["target"]>): string {
  return `${resource}${group ? `.${group}` : ""}${subresource ? `/${subresource}` : ""}`;
}

function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}
