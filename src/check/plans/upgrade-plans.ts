import type { Scenario, Step } from "../scenario/scenario.ts";
import type { Plan } from "./plan.ts";

/**
 * Makes the plans in which one version of the operator replaces the other: the newer one after the first step, and the
 * older one again one step later.
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
      id: "upgrade:rolling",
      faultClass: "upgrade",
      description: `the older version does the step “${first.name}”; then the newer one starts, and both work for a moment`,
      steps: [
        olderFirst,
        { name: "upgrade", action: { type: "upgrade", isRolling: true }, reaches: first.name },
        ...end,
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
