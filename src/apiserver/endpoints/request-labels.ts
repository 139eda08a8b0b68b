import type { Call } from "../verbs/call/call.ts";
import type { RequestLabels } from "../verbs/call/request-counter.ts";

/** What a request is counted as. */
export function requestLabels(call: Call, verb: string): RequestLabels {
  const { group, version, plural, subresources } = call.entry.resource;
  // Requests for anything else are refused, and their names would be without end.
  const dryRun = call.query.get("dryRun") === "All" ? "All" : "";
  const { name: subresource = "" } = subresources.find(({ name }) => name === call.subresource) ?? {};
  return { dryRun, group, resource: plural, scope: scopeOf(call, verb), subresource, verb: shown(call, verb), version };
}

function scopeOf({ name, namespace }: Call, verb: string): RequestLabels["scope"] {
  if (name !== "" || verb === "create") return "resource";
  return namespace === undefined ? "cluster" : "namespace";
}

function shown({ request }: Call, verb: string): string {
  if (verb === "list" || verb === "watch" || verb === "deletecollection") return verb.toUpperCase();
  return request.headers["content-type"]?.startsWith("application/apply-patch") ? "APPLY" : request.method;
}
