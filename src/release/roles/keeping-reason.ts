import { covers, type PolicyRule } from "../../apiserver/access/authorization.ts";
import type { Use } from "../../apiserver/audit/use-log.ts";
import type { GrantedRule } from "./granted-rules.ts";

export const readVerbs: readonly string[] = ["get", "list", "watch"];
/** The verbs of subresources that stay without a request. */
export const keptVerbs: Readonly<Record<string, readonly string[]>> = {
  finalizers: ["update"],
  status: ["get", "update", "patch"],
};
/** The verbs of requests; all others are asked for in addition, or by other programs. */
const requestVerbs = [...readVerbs, "create", "update", "patch", "delete", "deletecollection", "*"];
/** The resources of the scaffolded role for leader election, of older versions, too. */
const electionResources = new Set(["leases", "configmaps", "configmaps/status", "endpoints", "events"]);

/**
 * Returns why an operator needs a part of a rule that no request shows, by what its libraries do; `undefined` if
 * nothing speaks for it. `all` are the rules of the operator, `uses` the requests that the whole rule allows.
 */
export function keepingReason(
  part: PolicyRule,
  { granted, all, uses }: { granted: GrantedRule; all: readonly GrantedRule[]; uses: readonly Use[] },
): string | undefined {
  const [verb = ""] = part.verbs;
  const [base = "", subresource] = part.resources?.[0]?.split("/") ?? [];
  if (!requestVerbs.includes(verb)) return "it is not the verb of a request";
  if (readVerbs.includes(verb) && uses.some((use) => covers({ ...part, verbs: readVerbs }, use)))
    return "a cache needs get, list and watch";
  if (base === "events" && ["create", "patch"].includes(verb)) return "the operator may report events";
  if (base === "leases" || isElection(granted, all)) return "leader election needs it";
  if (/^(token|subjectaccess)reviews$/.test(base) && verb === "create") return "access to metrics is checked by it";
  if (subresource === undefined || (verb !== "*" && !keptVerbs[subresource]?.includes(verb))) return undefined;
  if (subresource === "finalizers") return "some clusters, such as OpenShift, require it to set an owner";
  return subresource === "status" ? "a status is read and written by it" : undefined;
}

function isElection({ role, namespaces }: GrantedRule, all: readonly GrantedRule[]): boolean {
  const resources = all.filter((each) => each.role === role).flatMap(({ rule }) => rule.resources ?? []);
  return namespaces !== undefined && resources.every((each) => electionResources.has(each));
}
