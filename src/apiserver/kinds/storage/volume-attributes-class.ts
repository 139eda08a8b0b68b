import { forbidden } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";

/** VolumeAttributesClass. */
export const volumeAttributesClass: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  validate: (attributesClass, old) =>
    immutable(attributesClass, old, ["driverName", "parameters"]).map(({ field }) =>
      forbidden(field, `updates to ${field} are forbidden.`),
    ),
  printer: printer("DriverName|Age", (object, now) => [textAt(object, "driverName"), creationAge(object, now)]),
};
