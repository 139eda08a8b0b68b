import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textsAt } from "../printing/field-access.ts";
import { serviceRange } from "../core/service/service-addresses.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { canonicalRangeErrors } from "../rules/address-errors.ts";
import { immutableText } from "../rules/immutable.ts";
import { haveOtherFamilies } from "../rules/read-address.ts";

/** ServiceCIDR. */
export const serviceCidr: BuiltinKind = {
  unconditionalUpdate: true,
  seeds: (now) => [defaultRange(now)],
  validate: (cidr, old) => (old ? changeErrors(cidr, old) : rangeErrors(cidr)),
  printer: printer("CIDRs|Age", (object, now) => [
    textsAt(object, "spec", "cidrs").join(","),
    creationAge(object, now),
  ]),
};

/** The range of the server, which a cluster has from the start. */
function defaultRange(now: string): UnstructuredObject {
  const message = "Kubernetes default Service CIDR is ready";
  return {
    kind: "ServiceCIDR",
    apiVersion: "networking.k8s.io/v1",
    metadata: { name: "kubernetes" },
    spec: { cidrs: [serviceRange] },
    status: { conditions: [{ type: "Ready", status: "True", reason: "", message, lastTransitionTime: now }] },
  };
}

/** Checks the ranges of a new object: one, or one of each family. */
function rangeErrors(cidr: UnstructuredObject): FieldError[] {
  const ranges = textsAt(cidr, "spec", "cidrs");
  // A real server shows Go's name of the field.
  if (ranges.length > 2) return [invalid("spec.cidrs", { CIDRs: ranges }, "may only hold up to 2 values")];
  const example = "i.e 192.168.0.0/24 and 2001:db8::/64";
  return [
    ...(ranges.length === 0 ? [required("spec.cidrs", "at least one CIDR required")] : []),
    ...(haveOtherFamilies(ranges)
      ? []
      : [invalid("spec.cidrs", ranges, `may specify no more than one IP for each IP family, ${example}`)]),
    ...ranges.flatMap((range, index) => canonicalRangeErrors(`spec.cidrs[${index}]`, range)),
  ];
}

/** Checks that ranges stay: one of the other family may be added. */
function changeErrors(cidr: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [ranges, before] = [textsAt(cidr, "spec", "cidrs"), textsAt(old, "spec", "cidrs")];
  if (ranges.length < before.length) return [invalid("spec.cidrs", ranges, immutableText)];
  return before.flatMap((range, index) =>
    ranges[index] === range ? [] : [invalid(`spec.cidrs[${index}]`, ranges[index], immutableText)],
  );
}
