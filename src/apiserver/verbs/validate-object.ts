import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { StatusCause } from "../../apimachinery/status.ts";
import { invalid } from "../refusals.ts";
import type { Call } from "./call.ts";
import { schemaErrors } from "./schema-errors.ts";
import { metaErrors } from "./validate-meta.ts";

/**
 * Refuses an object that breaks a rule of its metadata, schema or kind; all findings at once. A promise only where a
 * check needs what is loaded on demand: other writes take a single turn of the event loop, which nothing can interrupt.
 */
export function validateObject(
  call: Call,
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
): Promise<void> | undefined {
  const { strategy, resource } = call.entry;
  const meta = metaErrors(call, object, old);
  const refuse = (findings: readonly (readonly StatusCause[])[]): undefined => {
    const causes = [...meta, ...findings.flat()];
    if (causes.length) throw invalid(resource, object.metadata.name ?? "", causes);
  };
  const schema = schemaErrors(call, object, old);
  const own = strategy.validate?.(object, old) ?? [];
  if (schema instanceof Promise || own instanceof Promise) return Promise.all([schema, own]).then(refuse);
  return refuse([schema, own]);
}
