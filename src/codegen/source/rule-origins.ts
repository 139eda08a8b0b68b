import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import type { ParsedMarker } from "./parse-markers.ts";

// Schemas are joined and copied on their way into a CRD, but their rules remain the same objects.
const origins = new WeakMap<ValidationRule, ParsedMarker>();

/** Records the marker that the new rules of a schema come from. */
export function recordOrigin({ "x-kubernetes-validations": rules = [] }: JsonSchema, parsed: ParsedMarker): void {
  for (const rule of rules) if (!origins.has(rule)) origins.set(rule, parsed);
}

/** Returns the marker of a rule; `undefined` for rules of Kubernetes' own types. */
export function originOf(rule: ValidationRule): ParsedMarker | undefined {
  return origins.get(rule);
}
