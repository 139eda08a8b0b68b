import type { Fields } from "../../../../apimachinery/fields.ts";
import { listAt, textAt } from "../../printing/field-access.ts";
import { addressErrors } from "../../rules/address-errors.ts";
import { fieldRules, type RowsCheck, text } from "../../rules/field-rules.ts";

/** Reports whether a load balancer stands before the service. */
export const isBalancer = ({ type }: Fields): boolean => type === "LoadBalancer";

/** Reports whether the balancer asks each node whether it has pods of the service. */
export const checksHealth = (spec: Fields): boolean => isBalancer(spec) && spec["externalTrafficPolicy"] === "Local";

/** Checks the addresses of a load balancer in the status of a service or an ingress. */
export const balancerAddressErrors: RowsCheck = fieldRules({ "status.loadBalancer.ingress[].ip": text(addressErrors) });

/** Returns the addresses of a load balancer, as a column shows them. */
export function loadBalancerAddresses(object: Fields): string {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  const addresses = ingress.map((entry) => textAt(entry, "ip") || textAt(entry, "hostname"));
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}
