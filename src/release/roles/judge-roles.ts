import { covers, rbacGroup, type PolicyRule } from "../../apiserver/access/authorization.ts";
import { rulesNotHeld } from "../../apiserver/access/check-escalation.ts";
import type { Use, UseRecord } from "../../apiserver/audit/use-log.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import { verbsOf } from "../../codegen/find-kind-calls.ts";
import type { Account, GrantedRule } from "./granted-rules.ts";
import { keepingReason, readVerbs, resourceOf, widthsOf } from "./widths.ts";
import type { Knowledge, Missing, RoleReport, RuleReport, VerbReport } from "./role-report.ts";

/** Compares the rules of an operator with what it asked for. */
export function judgeRoles(
  granted: readonly GrantedRule[],
  { runs, uses }: UseRecord,
  knowledge: Knowledge,
): RoleReport {
  const rules = granted.map((each) => judgeRule(each, granted, { uses, knowledge }));
  const refused = uses.filter(
    (use) => !isOwnReview(use) && !granted.some((each) => allows(each, use, knowledge.account)),
  );
  const missing = [...groupBy(refused, (use) => `${use.group}/${resourceOf(use)}`).values()].map((same): Missing => {
    const [{ group, resource, subresource, example }] = same as [Use];
    const verbs = [...new Set(same.map(({ verb }) => verb))];
    return { group, resource: resourceOf({ resource, subresource }), verbs, example };
  });
  return { runs, rules, missing };
}

/** Any user may ask what it may do. */
function isOwnReview({ group, resource }: Use): boolean {
  return group.endsWith("k8s.io") && /^selfsubject.*reviews$/.test(resource);
}

interface Evidence {
  readonly uses: readonly Use[];
  readonly knowledge: Knowledge;
}

function judgeRule(granted: GrantedRule, all: readonly GrantedRule[], { uses, knowledge }: Evidence): RuleReport {
  const { rule } = granted;
  const allowed = uses.filter((use) => allows(granted, use, knowledge.account));
  const verbs = (rule.resources ?? []).flatMap((resource) =>
    rule.verbs.map((verb): VerbReport => {
      const part = { ...rule, resources: [resource], verbs: [verb] };
      const met = allowed.filter((use) => covers(part, use));
      const requests = met.reduce((sum, { count }) => sum + count, 0);
      if (met[0]) return { verb, resource, requests, example: met[0].example };
      const kept =
        keepingReason(part, { granted, all, uses: allowed }) ?? callFor(part, knowledge) ?? grantFor(part, uses);
      return { verb, resource, requests, ...(kept !== undefined && { kept }) };
    }),
  );
  return { granted, verbs, wider: widthsOf(granted, allowed, { uses, knowledge }) };
}

/**
 * Reports whether a rule allows a request where it was made. The operator's own namespace may have another name in a
 * run than in its manifests.
 */
function allows({ rule, namespaces }: GrantedRule, use: Use, account: Account): boolean {
  const places = [use.namespace ?? "", ...(use.own ? [account.namespace] : [])];
  return (namespaces === undefined || places.some((place) => namespaces.includes(place))) && covers(rule, use);
}

/** Returns the call in the sources that needs a part of a rule though no run came there. */
function callFor(part: PolicyRule, { calls }: Knowledge): string | undefined {
  const name = part.resourceNames?.[0];
  const call = calls.find((each) =>
    verbsOf(each).some((verb) => covers(part, { ...each, verb, resource: each.plural, name })),
  );
  if (!call) return undefined;
  const { file, offset } = call.place;
  return `${call.method}(${call.kind}) in ${file.path}:${file.position(offset).line} needs it`;
}

/** Returns why the operator needs what it passes on in roles that it writes. */
function grantFor(part: PolicyRule, uses: readonly Use[]): string | undefined {
  const passedOn = rulesNotHeld(
    [],
    uses.flatMap(({ grants = [] }) => grants),
  );
  if (passedOn.some((atom) => rulesNotHeld([part], [atom]).length === 0))
    return "the operator grants it in a role that it writes";
  const writesRoles = uses.some(({ group, verb }) => group === rbacGroup && !readVerbs.includes(verb));
  const isOfRoles = part.apiGroups?.includes(rbacGroup) && part.verbs.some((verb) => /^(bind|escalate)$/.test(verb));
  return isOfRoles && writesRoles ? "the operator writes roles or bindings" : undefined;
}
