import { textOf } from "../../../apimachinery/fields.ts";
import { invalid, required } from "../../../apimachinery/schema/field-error.ts";
import { dnsLabelErrors } from "../rules/name-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** RuntimeClass. */
export const runtimeClass: BuiltinKind = {
  validate({ handler }, old) {
    if (!handler) return [required("handler")];
    const changed = old && old["handler"] !== handler ? [invalid("handler", handler, "field is immutable")] : [];
    return [...dnsLabelErrors("handler", textOf(handler)), ...changed];
  },
  printer: printer("Handler|Age", (object, now) => [textAt(object, "handler"), creationAge(object, now)]),
};
