import { childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { matchesLabelSelector } from "../../../apimachinery/selectors.ts";
import { qualityOf } from "../../kinds/core/pod/pod-resources.ts";
import type { QuotaScope } from "./quota-evaluator.ts";

type Test = (pod: UnstructuredObject, scope: QuotaScope) => boolean;

const tests: Readonly<Record<string, Test>> = {
  Terminating: (pod) => isTerminating(pod),
  NotTerminating: (pod) => !isTerminating(pod),
  BestEffort: isBestEffort,
  NotBestEffort: (pod) => !isBestEffort(pod),
  PriorityClass(pod, { scopeName: key, operator, values }) {
    const name = textOf(childIf(pod, "spec")?.["priorityClassName"]);
    const selector = { matchExpressions: [{ key, operator, values }] };
    return matchesLabelSelector(selector, name ? { [key]: name } : {});
  },
};

/** Reports whether a pod is in a scope of quotas. */
export function isInScopeOfPods(scope: QuotaScope, pod: UnstructuredObject): boolean {
  return tests[scope.scopeName]?.(pod, scope) ?? false;
}

/** Reports whether a pod ends after a time of its own. */
export function isTerminating(pod: UnstructuredObject | undefined): boolean {
  const deadline = childIf(pod, "spec")?.["activeDeadlineSeconds"];
  return typeof deadline === "number" && deadline >= 0;
}

function isBestEffort(pod: UnstructuredObject): boolean {
  const known = textOf(childIf(pod, "status")?.["qosClass"]);
  return (known || qualityOf(childIf(pod, "spec") ?? {})) === "BestEffort";
}
