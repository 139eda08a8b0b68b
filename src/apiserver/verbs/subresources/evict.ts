import { formatTime } from "../../../apimachinery/time.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import type { LabelSelector, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { internalError } from "../../refusals.ts";
import { storageKey } from "../../storage/store.ts";
import { keyOf, type Call } from "../request/call.ts";
import { deleteObject, admitDeletion } from "../write/delete.ts";
import { type DeleteOptions, readWriteOptions } from "../request/write-options.ts";
import { readRaw } from "../object/read-object.ts";

/** POST to `eviction`: deletes a pod, unless its disruption budget has nothing left to give. */
export async function evict(call: Call): Promise<void> {
  const eviction = readRaw(call, "Eviction");
  const options = (eviction["deleteOptions"] ?? {}) as Partial<DeleteOptions>;
  const { dryRun } = readWriteOptions(call);
  spend(call, dryRun);
  await admitDeletion(call, keyOf(call), { ...options, dryRun });
  deleteObject(call, keyOf(call), { ...options, dryRun });
}

interface BudgetStatus {
  readonly observedGeneration?: number;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime: string;
  }[];
}

const budgetResource = { group: "policy", plural: "poddisruptionbudgets" };

/** Takes one disruption from the pod's budget; refuses when there is none left. */
function spend(call: Call, dryRun: boolean): void {
  const pod = call.collection.get(keyOf(call));
  if (!pod || goesFreely(pod)) return;
  const budgets = budgetsOf(call, pod);
  if (budgets.length > 1)
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  const [budget] = budgets;
  if (!budget) return;
  const status = (budget["status"] ?? {}) as BudgetStatus;
  if (!isReady(pod) && unhealthyGoes(budget, status)) return;
  const name = budget.metadata.name ?? "";
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0))
    throw tooManyDisruptions(`The disruption budget ${name} is still being processed by the server.`, 10);
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  if (disruptionsAllowed <= 0)
    throw tooManyDisruptions(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  if (dryRun) return;
  const now = formatTime(new Date(call.core.clock.now()));
  const object = { ...cloneJson(budget), status: spent(status, { pod: call.name, now, budget }) };
  const collection = call.core.store.collection(budgetResource);
  call.core.store.commit(collection, storageKey(call.namespace, name), { previous: budget, object });
}

/** Pods that do not run, or are going, disrupt nothing. */
function goesFreely(pod: UnstructuredObject): boolean {
  const { phase } = (pod["status"] ?? {}) as { phase?: string };
  return pod.metadata.deletionTimestamp !== undefined || ["Pending", "Succeeded", "Failed"].includes(phase ?? "");
}

function isReady(pod: UnstructuredObject): boolean {
  const { conditions = [] } = (pod["status"] ?? {}) as Pick<BudgetStatus, "conditions">;
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

/** A pod that is not ready may go where the budget says so, or where enough others are. */
function unhealthyGoes(budget: UnstructuredObject, { currentHealthy = 0, desiredHealthy = 0 }: BudgetStatus): boolean {
  const { unhealthyPodEvictionPolicy } = (budget["spec"] ?? {}) as { unhealthyPodEvictionPolicy?: string };
  return unhealthyPodEvictionPolicy === "AlwaysAllow" || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
}

function budgetsOf(call: Call, pod: UnstructuredObject): UnstructuredObject[] {
  const found: UnstructuredObject[] = [];
  for (const [, budget] of call.core.store.collection(budgetResource).entries(`${call.namespace}/`)) {
    const { selector } = (budget["spec"] ?? {}) as { selector?: LabelSelector };
    if (selector && labelSelectorMatcher(selector).matches(pod.metadata.labels ?? {})) found.push(budget);
  }
  return found;
}

interface Spending {
  readonly pod: string;
  readonly now: string;
  readonly budget: UnstructuredObject;
}

function spent(status: BudgetStatus, { pod, now, budget }: Spending): Record<string, unknown> {
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  const allowed = disruptionsAllowed > 0;
  const condition = {
    type: "DisruptionAllowed",
    status: allowed ? "True" : "False",
    observedGeneration: budget.metadata.generation ?? 0,
    lastTransitionTime: now,
    reason: allowed ? "SufficientPods" : "InsufficientPods",
    message: "",
  };
  const before = status.conditions?.find(({ type }) => type === condition.type);
  if (before?.status === condition.status) condition.lastTransitionTime = before.lastTransitionTime;
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return {
    ...status,
    disruptionsAllowed,
    disruptedPods: { ...status.disruptedPods, [pod]: now },
    conditions: [...others, condition],
  };
}

function tooManyDisruptions(why: string, retryAfterSeconds?: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const causes = [{ reason: "DisruptionBudget", message: why }];
  return new ApiError(
    failure("TooManyRequests", message, { causes, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
  );
}
