import type { BuiltinKind } from "../builtin-kind.ts";
import { textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** ServiceCIDR. */
export const serviceCidr: BuiltinKind = {
  unconditionalUpdate: true,
  printer: printer("CIDRs|Age", (object, now) => [
    textsAt(object, "spec", "cidrs").join(","),
    creationAge(object, now),
  ]),
};
