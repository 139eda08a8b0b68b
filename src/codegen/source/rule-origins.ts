import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import type { Place } from "../report.ts";

// Schemas are joined and copied on their way into a CRD, but their rules remain the same objects.
const origins = new WeakMap<ValidationRule, Place>();

/** Records the marker or the type that the new rules of a schema come from. */
export function recordOrigin({ "x-kubernetes-validations": rules = [] }: JsonSchema, place: Place): void {
  for (const rule of rules) if (!origins.has(rule)) origins.set(rule, place);
}

/** Returns the marker or the type of a rule; `undefined` for rules of Kubernetes' own types. */
export function originOf(rule: ValidationRule): Place | undefined {
  return origins.get(rule);
}
