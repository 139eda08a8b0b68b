import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { notSupported, type FieldError } from "../../apimachinery/schema/field-error.ts";
import { hasRules } from "../../apimachinery/schema/has-rules.ts";
import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";
import { validateValue } from "../../apimachinery/schema/validate-value.ts";
import { requiredErrors } from "../registry/required-errors.ts";
import type { Call } from "./call.ts";

/** What the schema of the kind, and the rules in it, say of an object. What an update did not change is forgiven. */
export function schemaErrors(
  call: Call,
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { resource } = call.entry;
  const schema = resource.schema();
  if (!schema) return [];
  if (!resource.custom) return builtinErrors(schema, object, resource.kind);
  return hasRules(schema) ? ruleErrors(schema, call, { object, old }) : validateValue(schema, object, { old });
}

interface Versions {
  readonly object: UnstructuredObject;
  readonly old: UnstructuredObject | undefined;
}

async function ruleErrors(schema: JsonSchema, call: Call, { object, old }: Versions): Promise<readonly FieldError[]> {
  // Rules need a large library, which a server without rules never loads.
  const { validateWithRules } = await import("../../apimachinery/cel/validate-with-rules.ts");
  const { errors, warnings } = validateWithRules(schema, object, old);
  // A retried update finds the same again.
  const texts = warnings.map(({ field, message }) => `${field}: ${message}`);
  call.warnings.push(...texts.filter((text) => !call.warnings.includes(text)));
  return errors;
}

const ownRules = new Set(["CustomResourceDefinition", "LimitRange"]);

function builtinErrors(schema: JsonSchema, object: UnstructuredObject, kind: string): FieldError[] {
  const spec = schema.properties?.["spec"];
  if (!spec || object["spec"] === undefined || ownRules.has(kind)) return [];
  return requiredErrors(spec, object["spec"], "spec").map((error) => asStruct(error, object));
}

/** Of a deployment's strategy a real server shows the whole, with the names that Go has for its fields. */
function asStruct(error: FieldError, object: UnstructuredObject): FieldError {
  if (error.field !== "spec.strategy.type") return error;
  const { type, rollingUpdate } = (object["spec"] as { strategy: Record<string, unknown> }).strategy;
  if (rollingUpdate !== undefined) return error;
  return notSupported("spec.strategy", { Type: type, RollingUpdate: null }, ["Recreate", "RollingUpdate"]);
}
