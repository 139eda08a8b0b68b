import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { minimum } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";

/** Lease. Leader election relies on the version that an update requires. */
export const lease: BuiltinKind = {
  createsOnUpdate: true,
  requiresVersion: true,
  takesAnyFinalizer: true,
  validate: kindRules({ spec: { leaseDurationSeconds: minimum(1), leaseTransitions: minimum(0) } }),
  printer: printer("Holder|Age", (object) => [textAt(object, "spec", "holderIdentity")]),
};
