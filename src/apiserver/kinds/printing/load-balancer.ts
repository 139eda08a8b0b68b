import type { Fields } from "../../../apimachinery/fields.ts";
import { listAt, textAt } from "./field-access.ts";

export function loadBalancerAddresses(object: Fields): string {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  const addresses = ingress.map((entry) => textAt(entry, "ip") || textAt(entry, "hostname"));
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}
