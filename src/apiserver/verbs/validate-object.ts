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
    ...metaErrors(object, old),
    ...schemaErrors(call, object),
    ...(strategy.validate?.(object, old) ?? []),
  ];
  if (causes.length) throw invalid(resource, object.metadata.name ?? "", causes);
}

function schemaErrors(call: Call, object: UnstructuredObject): FieldError[] {
  const schema = call.entry.resource.schema();
  return schema ? validateValue(schema, object) : [];
}
