import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { invalid } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { schemaErrors } from "./schema-errors.ts";
import { metaErrors, standardFinalizers } from "./validate-meta.ts";

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
    const texts = strategy.warn?.(object, old) ?? [];
    // A retried update finds the same again.
    call.warnings.push(...texts.filter((text) => !call.warnings.includes(text)));
    if (resource.custom) warnOfFinalizers(call, object, old);
  };
  const schema = schemaErrors(call, object, { old, before: meta });
  const own = strategy.validate?.(object, old) ?? [];
  if (schema instanceof Promise || own instanceof Promise) return Promise.all([schema, own]).then(refuse);
  return refuse([schema, own]);
}

/** Built-in kinds refuse what custom ones only warn of. */
function warnOfFinalizers(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): void {
  const known = new Set([...standardFinalizers, ...(old?.metadata.finalizers ?? [])]);
  for (const name of object.metadata.finalizers ?? []) {
    if (name.includes("/") || known.has(name)) continue;
    known.add(name);
    const path = name.includes(".") ? " including a path (/)" : "";
    const wish = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    call.warnings.push(`metadata.finalizers: ${JSON.stringify(name)}: ${wish}`);
  }
}
