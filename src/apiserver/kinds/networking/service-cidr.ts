import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutableText } from "../rules/immutable.ts";

/** ServiceCIDR. */
export const serviceCidr: BuiltinKind = {
  unconditionalUpdate: true,
  validate: (cidr, old) => (old ? changeErrors(cidr, old) : []),
  printer: printer("CIDRs|Age", (object, now) => [
    textsAt(object, "spec", "cidrs").join(","),
    creationAge(object, now),
  ]),
};

/** Checks that ranges stay: one of the other family may be added. */
function changeErrors(cidr: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [ranges, before] = [textsAt(cidr, "spec", "cidrs"), textsAt(old, "spec", "cidrs")];
  if (ranges.length < before.length) return [invalid("spec.cidrs", ranges, immutableText)];
  return before.flatMap((range, index) =>
    ranges[index] === range ? [] : [invalid(`spec.cidrs[${index}]`, ranges[index], immutableText)],
  );
}
