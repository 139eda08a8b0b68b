import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { FieldError } from "../../../apimachinery/field-error.ts";
import { addressErrors } from "./address-errors.ts";

/** Checks the addresses of a load balancer in the status of a service or an ingress. */
export function balancerAddressErrors(object: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const before = addressesOf(old);
  return addressesOf(object).flatMap((ip, index) =>
    ip === "" ? [] : addressErrors(`status.loadBalancer.ingress[${index}].ip`, ip, before),
  );
}

function addressesOf(object: UnstructuredObject | undefined): string[] {
  const balancer = childIf(childIf(object, "status"), "loadBalancer");
  return items(balancer, "ingress").map(({ ip }) => textOf(ip));
}
