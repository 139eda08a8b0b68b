import type { Fields } from "../../../../apimachinery/fields.ts";

/** Reports whether a load balancer stands before the service. */
export const isBalancer = ({ type }: Fields): boolean => type === "LoadBalancer";
