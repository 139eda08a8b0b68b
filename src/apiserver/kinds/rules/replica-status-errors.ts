import { invalid } from "../../../apimachinery/field-error.ts";
import { type FieldRule, fieldRules, minimum, type RowsCheck } from "./field-rules.ts";

/** The counts of all workloads; each has some of them. */
const counts =
  "replicas|readyReplicas|availableReplicas|unavailableReplicas|updatedReplicas|currentReplicas|fullyLabeledReplicas|" +
  "terminatingReplicas|currentNumberScheduled|desiredNumberScheduled|updatedNumberScheduled|numberMisscheduled|" +
  "numberReady|numberAvailable|numberUnavailable|observedGeneration|collisionCount";

/** The rule of a count that is part of another one; absent counts are zero. */
const atMost =
  (name: string): FieldRule =>
  (part = 0, at, { [name]: whole = 0 }) =>
    Number(part) > Number(whole) ? [invalid(at, part, `cannot be greater than ${name}`)] : [];

/** Returns the check of a status that counts replicas, some of them in the fields of `parts`. */
export function replicaStatusRules(parts: readonly string[] = []): RowsCheck {
  return fieldRules({
    [`status.(${counts})`]: minimum(0),
    ...(parts.length > 0 && {
      [`status.(${parts.join("|")})`]: atMost("replicas"),
      "status.availableReplicas": atMost("readyReplicas"),
    }),
  });
}
