import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { qualityOf } from "../../kinds/core/pod/quality-of-service.ts";
import { type ScopeSelector, selectsName } from "./scope-selector.ts";

/** Reports whether a pod is in a scope of quotas. */
export function isInScopeOfPods(selector: ScopeSelector, pod: UnstructuredObject): boolean {
  switch (selector.scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return selectsName(selector, textOf(childIf(pod, "spec")?.["priorityClassName"]));
    case "CrossNamespacePodAffinity":
      return looksElsewhere(childIf(childIf(pod, "spec"), "affinity"));
    default:
      return false;
  }
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

/** Reports whether a term of an affinity is about pods of other namespaces. */
function looksElsewhere(affinity: Fields | undefined): boolean {
  return ["podAffinity", "podAntiAffinity"].some((name) => {
    const part = childIf(affinity, name);
    const preferred = items(part, "preferredDuringSchedulingIgnoredDuringExecution");
    const terms = [
      ...items(part, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...preferred.map((term) => childIf(term, "podAffinityTerm")),
    ];
    return terms.some((term) => items(term, "namespaces").length > 0 || childIf(term, "namespaceSelector"));
  });
}
