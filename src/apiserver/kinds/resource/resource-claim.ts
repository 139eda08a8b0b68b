import type { Fields } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { keeps } from "../rules/immutable.ts";

/** ResourceClaim. */
export const resourceClaim: BuiltinKind = {
  unconditionalUpdate: true,
  validate: keeps(["spec"]),
  printer: printer("State|Age", (object, now) => [claimState(object), creationAge(object, now)]),
};

function claimState(object: Fields): string {
  const states = [
    valueAt(object, "metadata", "deletionTimestamp") === undefined ? "" : "deleted",
    valueAt(object, "status", "allocation") === undefined ? "" : "allocated",
    listAt(object, "status", "reservedFor").length > 0 ? "reserved" : "",
  ].filter((state) => state !== "");
  return states.join(",") || "pending";
}
