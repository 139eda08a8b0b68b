import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden } from "../../refusals.ts";

/** Throws a 403 that tells what a namespace's limits say against an object. */
export function refuseViolations(
  resource: { readonly group: string; readonly plural: string },
  { metadata: { name = "" } }: UnstructuredObject,
  violations: readonly string[],
): void {
  const [first, ...others] = violations;
  if (first === undefined) return;
  throw forbidden(resource, name, others.length === 0 ? first : `[${violations.join(", ")}]`);
}
