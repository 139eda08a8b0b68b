import { expect, it } from "vitest";
import { differencesFrom } from "../../../src/check/plans/expectation.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";

const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { namespace: "n", name: "data-0" } };

it.each(["crash", "deletion"] as const)("with the class %s, compares claims for storage", (faultClass) => {
  const [none, one] = [
    normalizeState(new Map()),
    normalizeState(new Map([["/persistentvolumeclaims n/data-0", claim]])),
  ];
  const plan: Plan = { id: "p", faultClass, description: "d", steps: [] };
  const expectation = {
    states: new Map([
      ["none", none],
      ["one", one],
    ]),
    mask: maskOf([]),
  };
  const differences = (reaches: string, state: typeof none): number =>
    differencesFrom(expectation, plan, { reaches }, state).length;
  expect(differences("none", one)).toBe(1);
  // The claim of a pod that was never there is missing.
  expect(differences("one", none)).toBe(faultClass === "deletion" ? 0 : 1);
});
