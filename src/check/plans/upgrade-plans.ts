import type { Scenario, Step } from "../scenario/scenario.ts";
import type { Plan } from "./plan.ts";

/**
 * Makes the plans in which one version of the operator takes the place of the other one: the newer one after the older
 * one's first step, and the older one again after that of the newer one.
 */
export function upgradePlans({ steps }: Scenario, olderFirst: Step): Plan[] {
  const [first, ...others] = steps;
  const last = steps.at(-1);
  if (!first || !last) return [];
  const end = last.action.type === "delete" ? [{ ...last, reaches: last.name }] : [];
  return [
    {
      id: "upgrade",
      faultClass: "upgrade",
      description: `the older version does the step “${first.name}”; then its manifests are applied, and the newer one starts`,
      steps: [
        olderFirst,
        { name: "upgrade", action: { type: "upgrade" }, reaches: first.name },
        ...others.map((step) => ({ ...step, reaches: step.name })),
      ],
    },
    {
      id: "rollback",
      faultClass: "rollback",
      description: `the newer version does the step “${first.name}”; then the older one takes its place, with the newer manifests`,
      steps: [{ ...first, reaches: first.name }, { name: "rollback", action: { type: "upgrade" } }, ...end],
    },
  ];
}

/** Reports whether plans of a class need another version of the operator. */
export function needsOlderVersion(faultClass: Plan["faultClass"]): boolean {
  return faultClass === "upgrade" || faultClass === "rollback";
}
