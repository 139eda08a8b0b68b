import type { ServedResource } from "../../registry/served-resource.ts";
import { claimEvaluator } from "./claim-evaluator.ts";
import { objectCount } from "./object-count.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import type { QuotaEvaluator } from "./quota-evaluator.ts";
import { serviceEvaluator } from "./service-evaluator.ts";

const special: Readonly<Record<string, QuotaEvaluator>> = {
  pods: podEvaluator,
  services: serviceEvaluator,
  persistentvolumeclaims: claimEvaluator,
};

/** Returns the evaluator of a resource. */
export function evaluatorOf({ group, plural }: Pick<ServedResource, "group" | "plural">): QuotaEvaluator {
  return (group === "" ? special[plural] : undefined) ?? objectCount(group, plural);
}

/** Reports whether quotas ignore a resource. */
export function isBeyondQuotas({ group, plural }: Pick<ServedResource, "group" | "plural">): boolean {
  if (plural === "events") return group === "" || group === "events.k8s.io";
  return (
    group === "authorization.k8s.io" || group === "authentication.k8s.io" || (group === "" && plural === "bindings")
  );
}
