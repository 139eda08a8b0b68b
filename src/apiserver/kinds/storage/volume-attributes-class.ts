import { forbidden } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { immutable } from "../rules/immutable.ts";

/** VolumeAttributesClass. */
export const volumeAttributesClass: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  validate: (attributesClass, old) =>
    immutable(attributesClass, old, ["driverName", "parameters"]).map(({ field }) =>
      forbidden(field, `updates to ${field} are forbidden.`),
    ),
};
