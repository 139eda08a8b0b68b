import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { compareQuantities, parseQuantity, quantityToInteger } from "../../../apimachinery/quantity.ts";
import type { FieldRule, Rows } from "./field-rules.ts";
import { labelKeyErrors } from "./name-errors.ts";

type Amounts = Readonly<Record<string, string>>;

const amounts: FieldRule = (value, at) =>
  Object.entries((value ?? {}) as Amounts).flatMap(([name, amount]) => {
    const field = `${at}[${name}]`;
    const isPart = isExtended(name) && quantityToInteger(parseQuantity(amount)) === undefined;
    const why = amount.startsWith("-") ? "must be greater than or equal to 0" : isPart && "must be an integer";
    return [...containerResourceErrors(field, name), ...(why ? [invalid(field, amount, why)] : [])];
  });

/** Checks that requests are not above their limits, and are their limits for resources that are not promised twice. */
function fitErrors(resources: unknown, at: string): FieldError[] {
  const { limits = {}, requests = {} } = resources as Record<string, Amounts>;
  return Object.entries(requests).flatMap(([name, amount]) => {
    const limit = limits[name];
    if (limit === undefined) return isOvercommitted(name) ? [] : [required(`${at}.limits`, `must have ${name}`)];
    const order = compareQuantities(parseQuantity(amount), parseQuantity(limit));
    const [fits, must] = isOvercommitted(name) ? [order <= 0, "less than or equal"] : [order === 0, "equal"];
    return fits ? [] : [invalid(`${at}.requests`, amount, `must be ${must} to ${name} limit of ${limit}`)];
  });
}

/** The rules of the resources of a container. */
export const resourceRules: Rows = { "(limits|requests)": amounts, ".": fitErrors };

/** Resources of containers. */
const computed = ["cpu", "memory", "ephemeral-storage"];
/** The name of memory in large pages begins so; the size of a page follows. */
const hugePages = "hugepages-";

/** Checks the name of a resource of a container. */
function containerResourceErrors(field: string, name: string): FieldError[] {
  const isKnown = name.includes("/") || computed.includes(name) || isHugePages(name);
  const isStrange = !isNative(name) && !isExtended(name);
  return [
    ...labelKeyErrors(field, name),
    ...(isKnown ? [] : [invalid(field, name, "must be a standard resource for containers")]),
    ...(isStrange ? [invalid(field, name, "doesn't follow extended resource name standard")] : []),
  ];
}

/** Reports whether a resource is memory in pages of the size that its name has. */
export function isHugePages(name: string): boolean {
  return name.startsWith(hugePages);
}

/** Reports whether a resource is one of Kubernetes. */
export function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Reports whether a resource is a whole device of somebody else, which a quota can count. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && labelKeyErrors("", `requests.${name}`).length === 0;
}

/** Reports whether a node can promise more of a resource than it has. */
function isOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}
