import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import type { ParsedMarker } from "./parse-markers.ts";

// Schemas are joined and copied on their way into a CRD, but their rules stay the same objects.
const origins = new WeakMap<ValidationRule, ParsedMarker>();

/** Remembers which marker the rules of a schema come from, those that are known already apart. */
export function recordOrigin({ "x-kubernetes-validations": rules = [] }: JsonSchema, parsed: ParsedMarker): void {
  for (const rule of rules) if (!origins.has(rule)) origins.set(rule, parsed);
}

/** The marker that made a rule; rules of Kubernetes' own types have none. */
export function originOf(rule: ValidationRule): ParsedMarker | undefined {
  return origins.get(rule);
}
