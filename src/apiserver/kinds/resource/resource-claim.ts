import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";
import { adminRequestErrors, statusAccessErrors } from "./claim-access-errors.ts";
import { claimStatusErrors, dropFreedDevices } from "./claim-status-errors.ts";
import { claimSpecErrors, defaultRequests } from "./device-requests.ts";

/** ResourceClaim. */
export const resourceClaim: BuiltinKind = {
  unconditionalUpdate: true,
  applyDefaults: (claim) => defaultRequests(childIf(claim, "spec")),
  prepareCreate: (claim) => void (claim["status"] = {}),
  prepareStatusUpdate: dropFreedDevices,
  accessErrors(claim, old, access) {
    if (!old) return adminRequestErrors(childIf(claim, "spec"), access);
    return access.subresource === "status" ? statusAccessErrors(claim, old, access) : [];
  },
  validate(claim, old, subresource) {
    if (!old) return claimSpecErrors(childIf(claim, "spec"), "spec");
    return subresource === "status" ? claimStatusErrors(claim, old) : immutable(claim, old, ["spec"]);
  },
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
