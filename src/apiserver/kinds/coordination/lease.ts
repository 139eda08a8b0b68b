import { childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** Lease. Leader election relies on it: an update without a resourceVersion is refused. */
export const lease: BuiltinKind = {
  createsOnUpdate: true,
  takesAnyFinalizer: true,
  validate: leaseErrors,
  printer: printer("Holder|Age", (object, now) => [textAt(object, "spec", "holderIdentity"), creationAge(object, now)]),
};

/** Checks that the duration is positive and the number of transitions is not negative. */
function leaseErrors(lease: UnstructuredObject): FieldError[] {
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
