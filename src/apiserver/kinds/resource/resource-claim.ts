import { type Fields, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { kindRules } from "../rules/immutable.ts";

/** ResourceClaim. Drivers and their scheduler write the kinds of this group, so that their fields have no rules. */
export const resourceClaim: BuiltinKind = {
  applyDefaults: (claim) => defaultRequests(childIf(claim, "spec")),
  prepareCreate: (claim) => void (claim["status"] = {}),
};

/** ResourceClaimTemplate. */
export const resourceClaimTemplate: BuiltinKind = {
  applyDefaults: (template) => defaultRequests(childIf(childIf(template, "spec"), "spec")),
  validate: kindRules({}, "spec"),
};

function defaultRequests(spec: Fields | undefined): void {
  for (const request of items(childIf(spec, "devices"), "requests")) {
    const exactly = childIf(request, "exactly");
    for (const each of [...(exactly ? [exactly] : []), ...items(request, "firstAvailable")]) {
      each["allocationMode"] ||= "ExactCount";
      if (each["allocationMode"] === "ExactCount") fill(each, { count: 1 });
    }
  }
}
