import { ClusterRoleKind } from "../context/simulated-kinds.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { ClusterRole, PolicyRule } from "../../../k8s/rbac/v1.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";

const onChange = enqueueFromMap(() => [{ name: "every role" }]);

/**
 * Aggregates the rules of ClusterRoles such as `admin`, `edit` and `view`. One step looks at all of them, because any
 * change of a role may concern each.
 */
export function runRoleAggregation(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:clusterrole-aggregation-controller");
  return runController(context, {
    sources: [watch(context, ClusterRoleKind, onChange)],
    step: async () => {
      const { items } = await client.list(ClusterRoleKind);
      const update = async (role: ClusterRole): Promise<void> => {
        const rules = rulesOf(role, items);
        if (!equalJson(rules, role.rules ?? [])) await client.update(ClusterRoleKind, { ...role, rules });
      };
      await Promise.all(items.filter(isAggregated).map(update));
    },
  });
}

function isAggregated({ metadata, aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined && metadata.deletionTimestamp === undefined;
}

/** Returns the rules of all selected roles, in the order of selectors and names, each once. */
function rulesOf({ metadata, aggregationRule }: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const matcher = labelSelectorMatcher(selector);
    for (const role of roles) {
      if (role.metadata.name === metadata.name || !matcher.matches(role.metadata.labels ?? {})) continue;
      for (const rule of role.rules ?? []) if (!rules.some((known) => equalJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
