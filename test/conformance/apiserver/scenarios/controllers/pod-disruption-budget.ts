import { brief, change, create, remove, settle, settles, templateOf } from "../../controller-steps.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { apps, budgets, pods } from "../../steps.ts";
import { POST } from "../../requests.ts";

const budget = (spec: object) => ({
  metadata: { name: "a" },
  spec: { selector: { matchLabels: { app: "a" } }, ...spec },
});
const deployment = {
  metadata: { name: "a" },
  spec: { replicas: 3, selector: { matchLabels: { app: "a" } }, template: templateOf("a") },
};
const evict = (name: string): RequestStep =>
  POST(`${pods}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } });
const seen =
  (test: (status: any) => boolean) =>
  ({ metadata, status }: any) =>
    status?.observedGeneration === metadata.generation && test(status);
const pod = (name: string) => ({ ...templateOf("a"), metadata: { name, labels: { app: "a" } } });

/** How many pods may go at once, and who is refused. */
export const scenarios: Scenarios = {
  "controllers-budget": [
    create(budgets, budget({ minAvailable: 1 })),
    settles(
      `${budgets}/a`,
      seen(() => true),
      { pick: brief },
    ),
    create(pods, pod("one")),
    settles(
      `${budgets}/a`,
      seen(({ currentHealthy }) => currentHealthy === 1),
    ),
    evict("one"),
    create(pods, pod("two")),
    settles(
      `${budgets}/a`,
      seen(({ disruptionsAllowed }) => disruptionsAllowed === 1),
    ),
    evict("one"),
    settle(pods, (items) => items.length === 1, { unrecorded: true }),
    settles(
      `${budgets}/a`,
      seen(({ disruptionsAllowed, expectedPods }) => disruptionsAllowed === 0 && expectedPods === 1),
    ),
    evict("two"),
    change(`${budgets}/a`, { spec: { minAvailable: 0 } }),
    settles(
      `${budgets}/a`,
      seen(({ desiredHealthy }) => desiredHealthy === 0),
    ),
    evict("two"),
  ],
  "controllers-budget-share": [
    create(`${apps}/deployments`, deployment),
    create(budgets, budget({ maxUnavailable: "34%" })),
    settles(
      `${budgets}/a`,
      seen(({ currentHealthy }) => currentHealthy === 3),
    ),
    change(`${apps}/deployments/a`, { spec: { replicas: 5 } }),
    settles(
      `${budgets}/a`,
      seen(({ currentHealthy, expectedPods }) => currentHealthy === 5 && expectedPods === 5),
    ),
    change(`${budgets}/a`, { spec: { maxUnavailable: 1 } }),
    settles(
      `${budgets}/a`,
      seen(({ desiredHealthy }) => desiredHealthy === 4),
    ),
    remove(`${apps}/deployments/a`),
    settles(
      `${budgets}/a`,
      seen(({ currentHealthy }) => currentHealthy === 0),
    ),
    // Pods that nobody controls are no share of anything.
    create(pods, pod("stray")),
    settles(
      `${budgets}/a`,
      seen(({ currentHealthy }) => currentHealthy === 1),
    ),
  ],
};
