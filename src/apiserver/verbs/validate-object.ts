import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { validateValue } from "../../apimachinery/schema/validate-value.ts";
import type { FieldError } from "../../apimachinery/schema/field-error.ts";
import { invalid } from "../refusals.ts";
import type { Call } from "./call.ts";
import { metaErrors } from "./validate-meta.ts";

/** Refuses an object that breaks a rule of its metadata, schema or kind; all findings at once. */
export function validateObject(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): void {
  const { strategy, resource } = call.entry;
  const causes = [
    ...metaErrors(call, object, old),
    ...schemaErrors(call, object),
    ...(strategy.validate?.(object, old) ?? []),
  ];
  if (causes.length) throw invalid(resource, object.metadata.name ?? "", causes);
}

/**
 * Built-in kinds have rules in code instead of a schema on a real server. What the schema says of their spec is true all
 * the same: what is required, and which words are known.
 */
function schemaErrors({ entry }: Call, object: UnstructuredObject): FieldError[] {
  const { resource } = entry;
  const schema = resource.schema();
  if (!schema) return [];
  if (resource.custom) return validateValue(schema, object);
  const spec = schema.properties?.["spec"];
  if (!spec || object["spec"] === undefined || resource.kind === "CustomResourceDefinition") return [];
  const known = new Set<string>(["FieldValueRequired", "FieldValueNotSupported"]);
  return validateValue(spec, object["spec"], { path: "spec" }).filter(({ reason }) => known.has(reason));
}
