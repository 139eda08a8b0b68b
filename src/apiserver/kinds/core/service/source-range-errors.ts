import type { Fields } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../../apimachinery/field-error.ts";
import { rangeErrors } from "../../rules/address-errors.ts";
import { isBalancer } from "./is-balancer.ts";

/** The annotation that named the ranges before a field did. It has no effect if the field is set. */
const note = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** Checks the ranges of clients that a load balancer lets through. Those that the service had before may stay. */
export function sourceRangeErrors(service: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = (service["spec"] ?? {}) as Fields;
  const ranges = rangesOf(service);
  const misplaced = "may only be used when `type` is 'LoadBalancer'";
  if (ranges.length > 0) {
    // A real server writes the name of Go's field.
    const field = "spec.LoadBalancerSourceRanges";
    if (!isBalancer(spec)) return [forbidden(field, misplaced)];
    const before = rangesOf(old);
    return ranges.flatMap((range, index) => rangeErrors(`${field}[${index}]`, range, before));
  }
  const text = service.metadata.annotations?.[note];
  if (text === undefined) return [];
  const [field, before] = [`metadata.annotations[${note}]`, notedRanges(old?.metadata.annotations?.[note])];
  return [
    ...(isBalancer(spec) ? [] : [forbidden(field, misplaced)]),
    ...notedRanges(text).flatMap((range) => rangeErrors(field, range, before)),
  ];
}

function rangesOf(service: UnstructuredObject | undefined): string[] {
  const { loadBalancerSourceRanges = [] } = (service?.["spec"] ?? {}) as { loadBalancerSourceRanges?: string[] };
  return loadBalancerSourceRanges.map((range) => range.trim());
}

function notedRanges(text = ""): string[] {
  return text.trim() === "" ? [] : text.split(",").map((range) => range.trim());
}
