import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { labelKeyErrors } from "./name-errors.ts";

/** Resources of containers. */
const computed = ["cpu", "memory", "ephemeral-storage"];
/** Resources that a quota counts in whole objects. */
const counted = [
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
];
const standard = new Set([
  ...computed,
  ...computed.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...counted,
  "requests.storage",
]);

/** Reports whether a resource is counted in whole objects. */
export function isCounted(name: string): boolean {
  return counted.includes(name);
}

/** Reports whether a quota knows the name without a domain. */
export function isStandardQuotaName(name: string): boolean {
  return standard.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Checks the name of a resource in a quota; others than the standard ones have a domain. */
export function quotaNameErrors(field: string, name: string): FieldError[] {
  const isKnown = name.includes("/") || isStandardQuotaName(name);
  return [
    ...nameErrors(field, name),
    ...(isKnown ? [] : [invalid(field, name, "must be a standard resource for quota")]),
  ];
}

/** Checks the name of a resource of a container. */
export function containerResourceErrors(field: string, name: string): FieldError[] {
  const isKnown = name.includes("/") || computed.includes(name) || name.startsWith("hugepages-");
  return [
    ...nameErrors(field, name),
    ...(isKnown ? [] : [invalid(field, name, "must be a standard resource for containers")]),
  ];
}

function nameErrors(field: string, name: string): FieldError[] {
  const errors = labelKeyErrors(field, name);
  if (errors.length > 0 || name.includes("/") || isStandardQuotaName(name)) return errors;
  return [invalid(field, name, "must be a standard resource type or fully qualified")];
}
