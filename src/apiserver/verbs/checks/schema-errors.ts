import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { hasRules } from "../../../apimachinery/schema/has-rules.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { validateValue } from "../../../apimachinery/schema/validate-value.ts";
import { requiredErrors } from "../../registry/rules/required-errors.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { Call } from "../call/call.ts";

/** What the schema of the kind, and the rules in it, say of an object. What an update did not change is forgiven. */
export function schemaErrors(
  call: Call,
  object: UnstructuredObject,
  { old, before }: Context,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { resource } = call.entry;
  const schema = resource.schema();
  if (!schema) return [];
  if (!resource.custom) return builtinErrors(schema, object, resource.kind);
  return hasRules(schema) ? ruleErrors(schema, call, { object, old, before }) : validateValue(schema, object, { old });
}

interface Context {
  readonly old: UnstructuredObject | undefined;
  /** What is wrong with its metadata. */
  readonly before: readonly StatusCause[];
}

interface Checked extends Context {
  readonly object: UnstructuredObject;
}

async function ruleErrors(
  schema: JsonSchema,
  call: Call,
  { object, old, before }: Checked,
): Promise<readonly FieldError[]> {
  // Rules need a large library, which a server without rules never loads.
  const { validateWithRules } = await import("../../../cel/rules/validate-with-rules.ts");
  const { errors, warnings } = validateWithRules(schema, object, old, before);
  // A retried update finds the same again.
  const texts = warnings.map(({ field, message }) => `${field}: ${message}`);
  call.warnings.push(...texts.filter((text) => !call.warnings.includes(text)));
  return errors;
}

const ownRules = new Set([
  "CustomResourceDefinition",
  "HorizontalPodAutoscaler",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);

function builtinErrors(schema: JsonSchema, object: UnstructuredObject, kind: string): FieldError[] {
  const spec = schema.properties?.["spec"];
  if (!spec || object["spec"] === undefined || ownRules.has(kind)) return [];
  return requiredErrors(spec, object["spec"], "spec").flatMap((error) => asStruct(error, object));
}

/** Of the strategies of deployments and daemon sets a real server shows the whole, with the names that Go has for the fields. */
function asStruct(error: FieldError, object: UnstructuredObject): FieldError[] {
  const spec = object["spec"] as Record<string, Record<string, unknown> | undefined>;
  if (error.field === "spec.strategy.type" && spec["strategy"]?.["rollingUpdate"] === undefined)
    return [
      notSupported("spec.strategy", { Type: spec["strategy"]?.["type"], RollingUpdate: null }, [
        "Recreate",
        "RollingUpdate",
      ]),
    ];
  if (error.field === "spec.selector" && object["kind"] === "DaemonSet") return [];
  if (error.field === "spec.updateStrategy.type") return wholeStrategy(object["kind"], spec["updateStrategy"] ?? {});
  return [error];
}

function wholeStrategy(kind: unknown, { type, rollingUpdate }: Record<string, unknown>): FieldError[] {
  const { maxUnavailable = null, maxSurge = 0, partition = 0 } = (rollingUpdate ?? {}) as Record<string, unknown>;
  const isSet = kind === "StatefulSet";
  const fields = isSet
    ? { Partition: partition, MaxUnavailable: maxUnavailable }
    : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge };
  const shown = { Type: type, RollingUpdate: rollingUpdate === undefined ? null : fields };
  const field = "spec.updateStrategy";
  if (isSet) return [invalid(field, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  return kind === "DaemonSet" ? [notSupported(field, shown, ["RollingUpdate", "OnDelete"])] : [];
}
