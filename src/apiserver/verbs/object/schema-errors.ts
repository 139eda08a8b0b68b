import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { requiredErrors } from "../../registry/rules/required-errors.ts";

const ownRules = new Set([
  "CustomResourceDefinition",
  "HorizontalPodAutoscaler",
  "LimitRange",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);

/** Returns the findings of the schema of a built-in kind. */
export function builtinErrors(schema: JsonSchema, object: UnstructuredObject, kind: string): FieldError[] {
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
