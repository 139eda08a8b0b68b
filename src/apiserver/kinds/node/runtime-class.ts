import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** RuntimeClass. */
export const runtimeClass: BuiltinKind = {
  printer: printer("Handler|Age", (object, now) => [textAt(object, "handler"), creationAge(object, now)]),
};
