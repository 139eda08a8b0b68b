import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { invalid } from "../refusals.ts";
import type { Call } from "./call.ts";
import { schemaErrors } from "./schema-errors.ts";
import { metaErrors } from "./validate-meta.ts";

/** Refuses an object that breaks a rule of its metadata, schema or kind; all findings at once. */
export function validateObject(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): void {
  const { strategy, resource } = call.entry;
  const causes = [
    ...metaErrors(call, object, old),
    ...schemaErrors(call, object, old),
    ...(strategy.validate?.(object, old) ?? []),
  ];
  if (causes.length) throw invalid(resource, object.metadata.name ?? "", causes);
}
