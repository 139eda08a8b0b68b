import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { childIf } from "../../../apimachinery/fields.ts";

/** A lease lasts, and is not handed back more often than it was taken. */
export function leaseErrors(lease: UnstructuredObject): FieldError[] {
  const spec = childIf(lease, "spec") ?? {};
  const errors: FieldError[] = [];
  const check = (name: string, isRight: (value: number) => boolean, why: string): void => {
    const value = spec[name];
    if (typeof value === "number" && !isRight(value)) errors.push(invalid(`spec.${name}`, value, why));
  };
  check("leaseDurationSeconds", (value) => value > 0, "must be greater than 0");
  check("leaseTransitions", (value) => value >= 0, "must be greater than or equal to 0");
  return errors;
}
