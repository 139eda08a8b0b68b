import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type KubeObject, type LabelSelector } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { enqueueAll, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";

interface ClusterRole extends KubeObject {
  rules?: object[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

const ClusterRoleKind: Kind<ClusterRole> = defineKind({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  scope: "Cluster",
});

/** Aggregates the rules of ClusterRoles such as `admin`, `edit` and `view`. */
export function runRoleAggregation(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:clusterrole-aggregation-controller");
  const aggregated = enqueueAll(context, ClusterRoleKind, ({ aggregationRule }) => aggregationRule !== undefined);
  return runController(context, {
    sources: [watch(context, ClusterRoleKind, aggregated)],
    step: async ({ name }) => {
      const role = await client.getOrUndefined(ClusterRoleKind, { name });
      if (!role?.aggregationRule || role.metadata.deletionTimestamp) return;
      const rules = rulesOf(role, (await client.list(ClusterRoleKind)).items);
      if (!equalJson(rules, role.rules ?? [])) await client.update(ClusterRoleKind, { ...role, rules });
    },
  });
}

/** Returns the rules of all selected roles, in the order of selectors and names, each once. */
function rulesOf({ metadata, aggregationRule }: ClusterRole, roles: readonly ClusterRole[]): object[] {
  const rules: object[] = [];
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const matcher = labelSelectorMatcher(selector);
    for (const role of roles) {
      if (role.metadata.name === metadata.name || !matcher.matches(role.metadata.labels ?? {})) continue;
      for (const rule of role.rules ?? []) if (!rules.some((known) => equalJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
