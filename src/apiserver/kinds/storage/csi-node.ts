import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** CSINode. */
export const csiNode: BuiltinKind = {
  returnsDeleted: true,
  printer: printer("Drivers:integer|Age", (object, now) => [
    listAt(object, "spec", "drivers").length,
    creationAge(object, now),
  ]),
};
