import { childIf } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { immutable } from "../rules/immutable.ts";
import { templateMetaErrors } from "../rules/template-meta-errors.ts";
import { adminRequestErrors } from "./claim-access-errors.ts";
import { claimSpecErrors, defaultRequests } from "./device-requests.ts";

/** ResourceClaimTemplate. */
export const resourceClaimTemplate: BuiltinKind = {
  unconditionalUpdate: true,
  applyDefaults: (template) => defaultRequests(childIf(childIf(template, "spec"), "spec")),
  accessErrors: (template, old, access) =>
    old ? [] : adminRequestErrors(childIf(childIf(template, "spec"), "spec"), access),
  validate(template, old) {
    if (old) return immutable(template, old, ["spec"]);
    const spec = childIf(template, "spec");
    return [
      ...templateMetaErrors(childIf(spec, "metadata"), "spec.metadata"),
      ...claimSpecErrors(childIf(spec, "spec"), "spec.spec"),
    ];
  },
};
