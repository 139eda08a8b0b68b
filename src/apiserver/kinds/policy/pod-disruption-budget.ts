import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { internalError } from "../../refusals.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import type { LabelSelector, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { PodDisruptionBudgetStatus } from "../../../k8s/policy/v1.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { isConditionTrue, numberAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { amount, atMostAll } from "../apps/workload.ts";
import { fieldRules, must } from "../rules/field-rules.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";

/** PodDisruptionBudget. */
export const podDisruptionBudget: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  generationOf: desiredSpec,
  prepareCreate(budget) {
    budget["status"] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  validate: (budget) => budgetErrors(budget),
  printer: printer("Min Available|Max Unavailable|Allowed Disruptions:integer|Age", (object) => [
    textAt(object, "spec", "minAvailable") || "N/A",
    textAt(object, "spec", "maxUnavailable") || "N/A",
    numberAt(object, "status", "disruptionsAllowed"),
  ]),
};

const budgetErrors = fieldRules({
  spec: [
    must(
      ({ minAvailable, maxUnavailable }: Fields) => minAvailable === undefined || maxUnavailable === undefined,
      "minAvailable and maxUnavailable cannot be both set",
    ),
    {
      "(minAvailable|maxUnavailable)": [amount, atMostAll],
      selector: selectorRules,
    },
  ],
});

type BudgetStatus = Partial<PodDisruptionBudgetStatus>;

/** The budget of a pod, and its status after it has spent a disruption. */
export interface SpentBudget {
  readonly previous: UnstructuredObject;
  readonly status: object;
}

/** Takes one disruption from the pod's budget, if it has one; throws a 429 if none is left. */
export function spendDisruption(
  entries: Iterable<readonly [key: string, budget: UnstructuredObject]>,
  pod: UnstructuredObject,
  now: string,
): SpentBudget | undefined {
  if (disruptsNothing(pod)) return undefined;
  const budgets = [...entries].map(([, budget]) => budget).filter((budget) => selects(budget, pod));
  if (budgets.length > 1)
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  const [budget] = budgets;
  if (!budget) return undefined;
  const status = (budget["status"] ?? {}) as BudgetStatus;
  if (!isConditionTrue(pod, "Ready") && mayEvictUnready(budget, status)) return undefined;
  const name = budget.metadata.name ?? "";
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0))
    throw tooManyDisruptions(`The disruption budget ${name} is still being processed by the server.`, 10);
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  if (disruptionsAllowed <= 0)
    throw tooManyDisruptions(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  return { previous: budget, status: statusAfter(budget, { pod: pod.metadata.name ?? "", now }) };
}

/** Reports whether a pod does not run or is being deleted. */
function disruptsNothing(pod: UnstructuredObject): boolean {
  const { phase } = (pod["status"] ?? {}) as { phase?: string };
  return pod.metadata.deletionTimestamp !== undefined || ["Pending", "Succeeded", "Failed"].includes(phase ?? "");
}

/** Reports whether the budget, or enough healthy pods, allow the eviction of a pod that is not ready. */
function mayEvictUnready(
  budget: UnstructuredObject,
  { currentHealthy = 0, desiredHealthy = 0 }: BudgetStatus,
): boolean {
  const { unhealthyPodEvictionPolicy } = (budget["spec"] ?? {}) as { unhealthyPodEvictionPolicy?: string };
  return unhealthyPodEvictionPolicy === "AlwaysAllow" || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
}

function selects(budget: UnstructuredObject, { metadata }: UnstructuredObject): boolean {
  const { selector } = (budget["spec"] ?? {}) as { selector?: LabelSelector };
  return selector !== undefined && labelSelectorMatcher(selector).matches(metadata.labels ?? {});
}

function statusAfter(budget: UnstructuredObject, { pod, now }: { pod: string; now: string }): Record<string, unknown> {
  const status = (budget["status"] ?? {}) as BudgetStatus;
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  const spent = { ...status, disruptionsAllowed, disruptedPods: { ...status.disruptedPods, [pod]: now } };
  if (disruptionsAllowed > 0) return spent;
  const condition = {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration: budget.metadata.generation ?? 0,
    lastTransitionTime: now,
    reason: "InsufficientPods",
    message: "",
  };
  const before = status.conditions?.find(({ type }) => type === condition.type);
  if (before?.status === condition.status) condition.lastTransitionTime = before.lastTransitionTime;
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...spent, conditions: [...others, condition] };
}

function tooManyDisruptions(why: string, retryAfterSeconds?: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const causes = [{ reason: "DisruptionBudget", message: why }];
  return new ApiError(
    failure("TooManyRequests", message, { causes, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
  );
}
