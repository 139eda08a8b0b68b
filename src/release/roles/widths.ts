import { covers, type PolicyRule } from "../../apiserver/access/authorization.ts";
import type { Use } from "../../apiserver/audit/use-log.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import { verbsOf } from "../../codegen/find-kind-calls.ts";
import type { GrantedRule } from "./granted-rules.ts";
import type { Knowledge, Needed, Width } from "./role-report.ts";

/** The most names that a rule should list. */
const mostNames = 3;

/** Returns how a rule could be narrower, by the requests that it allows. */
export function widthsOf(
  granted: GrantedRule,
  allowed: readonly Use[],
  { uses, knowledge }: { readonly uses: readonly Use[]; readonly knowledge: Knowledge },
): Width[] {
  const { rule, namespaces } = granted;
  if (allowed.length === 0) return [];
  const { verbs, resources = [], apiGroups = [], resourceNames = [] } = rule;
  const stars = Object.entries({ verbs, resources, groups: apiGroups }).filter(([, words]) => words.includes("*"));
  const kept = resources.flatMap((resource) => apiGroups.flatMap((group) => keptNeeds(group, resource)));
  const needed = neededBy([...allowed, ...kept, ...needsOfCalls(knowledge).filter((each) => covers(rule, each))]);
  const widths: Width[] = [];
  if (stars.length > 0) {
    const text = needed.map((each) => `${titleOf(each)} ${each.verbs.join(", ")}`).join("; ");
    widths.push({ text: `${stars.map(([name]) => `${name}=*`).join(" and ")}, and it needs ${text}`, needed });
  }
  const users = new Set(uses.filter(({ subresource }) => subresource === "status").map(({ namespace }) => namespace));
  const isOwn = ({ own, namespace }: Use): boolean => own === true && !users.has(namespace);
  for (const resource of resources.filter((each) => !/^(events|leases|\*)$/.test(each))) {
    const of = allowed.filter((use) => covers({ ...rule, resources: [resource], verbs: ["*"] }, use));
    if (namespaces === undefined && of.length > 0 && of.every(isOwn))
      widths.push({ text: `${resource} in all namespaces, and only those in the operator's own were used` });
    const named = of.filter(({ verb }) => verb !== "create");
    const names = [...new Set(named.map(({ name }) => name))];
    const isKnown = (use: Use): boolean => isOwn(use) || isWritten(use, knowledge);
    if (!/^(secrets|configmaps)$/.test(resource) || resourceNames.length > 0) continue;
    if (names.length > 0 && names.length <= mostNames && named.every((use) => use.name !== undefined && isKnown(use)))
      widths.push({
        text: `all ${resource}, and only ${names.join(", ")} was used`,
        names: names as string[],
        resource,
      });
  }
  return widths;
}

/** Reports whether a name is in the sources, so that it does not follow from the objects of users. */
function isWritten({ name }: Use, { texts }: Knowledge): boolean {
  return texts.some((text) => ['"', "'", "`"].some((quote) => text.includes(quote + name + quote)));
}

type Need = Pick<Use, "verb" | "group" | "resource"> & { readonly subresource?: string | undefined };

/** Returns what stays of a star without a request. */
function keptNeeds(group: string, name: string): Need[] {
  const [resource = "", subresource = ""] = name.split("/");
  const verbs = group === "*" ? [] : (keptVerbs[subresource] ?? []);
  return verbs.map((verb) => ({ verb, group, resource, subresource }));
}

/** Returns what calls in the sources may need, and the finalizers of the kinds that controllers are for. */
function needsOfCalls({ calls }: Knowledge): Need[] {
  return calls.flatMap((call) => {
    const { group, plural: resource, subresource, method } = call;
    const finalizers = { verb: "update", group, resource, subresource: "finalizers" };
    return [
      ...verbsOf(call).map((verb) => ({ verb, group, resource, subresource })),
      ...(method === "for" ? [finalizers] : []),
    ];
  });
}

/** Returns the resources of requests, with the verbs that their callers need. */
function neededBy(needs: readonly Need[]): Needed[] {
  return [...groupBy(needs, (each) => `${each.group}/${resourceOf(each)}`).values()].map((same): Needed => {
    const [{ group, resource, subresource }] = same as [Need];
    const verbs = new Set(same.map(({ verb }) => verb));
    return { group, resource: resourceOf({ resource, subresource }), verbs: withReads([...verbs]) };
  });
}

/** Returns verbs in their usual order; a watch needs all verbs that read. */
export function withReads(verbs: readonly string[]): string[] {
  const isCached = verbs.includes("list") || verbs.includes("watch");
  const all = new Set(isCached ? [...readVerbs, ...verbs] : verbs);
  const order = [...readVerbs, "create", "update", "patch", "delete"];
  return [...order.filter((verb) => all.has(verb)), ...[...all].filter((verb) => !order.includes(verb))];
}

/** Returns `deployments.apps`, `deployments.apps/status`, or `pods` for the core group. */
export function titleOf({ group, resource }: Pick<Needed, "group" | "resource">): string {
  return group === "" ? resource : resource.replace(/(?=\/|$)/, `.${group}`);
}

export function resourceOf({
  resource,
  subresource,
}: {
  readonly resource: string;
  readonly subresource?: string | undefined;
}): string {
  return subresource ? `${resource}/${subresource}` : resource;
}

export const readVerbs: readonly string[] = ["get", "list", "watch"];
/** The verbs of subresources that stay without a request. */
const keptVerbs: Readonly<Record<string, readonly string[]>> = {
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
