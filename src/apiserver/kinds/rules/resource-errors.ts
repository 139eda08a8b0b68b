import type { Fields } from "../../../apimachinery/fields.ts";
import { compareQuantities, isQuantity, parseQuantity, quantityToInteger } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import {
  containerResourceErrors,
  hugePageSize,
  isExtended,
  isHugePages,
  isOvercommitted,
} from "./resource-name-errors.ts";

type Amounts = Readonly<Record<string, string>>;

/** Returns the errors in the resources of a container: wrong amounts, and requests that do not fit the limits. */
export function resourceErrors(resources: Fields | undefined, at: string): FieldError[] {
  const { limits = {}, requests = {} } = (resources ?? {}) as Record<string, Amounts>;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isAlone = names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory");
  return [
    ...amountErrors(limits, `${at}.limits`),
    ...amountErrors(requests, `${at}.requests`),
    ...Object.entries(requests).flatMap(([name, amount]) => requestErrors(name, amount, { limit: limits[name], at })),
    ...(isAlone ? [forbidden(at, "HugePages require cpu or memory")] : []),
  ];
}

function amountErrors(amounts: Amounts, at: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const field = `${at}[${name}]`;
    const isPart = isExtended(name) && quantityToInteger(parseQuantity(amount)) === undefined;
    return [
      ...containerResourceErrors(field, name),
      ...(amount.startsWith("-") ? [invalid(field, amount, "must be greater than or equal to 0")] : []),
      ...(isPart ? [invalid(field, amount, "must be an integer")] : []),
      ...(isHugePages(name) && !isInPages(name, amount)
        ? [invalid(field, amount, `${amount} is not positive integer multiple of ${name}`)]
        : []),
    ];
  });
}

function isInPages(name: string, amount: string): boolean {
  const size = hugePageSize(name);
  const bytes = isQuantity(size) ? quantityToInteger(parseQuantity(size)) : undefined;
  const wanted = quantityToInteger(parseQuantity(amount));
  return bytes !== undefined && bytes > 0n && wanted !== undefined && wanted % bytes === 0n;
}

interface Limited {
  readonly limit: string | undefined;
  readonly at: string;
}

/** Returns the errors of a request above its limit, or other than it for resources that are not promised twice. */
function requestErrors(name: string, amount: string, { limit, at }: Limited): FieldError[] {
  const field = `${at}.requests`;
  if (limit === undefined)
    return isOvercommitted(name)
      ? []
      : [required(`${at}.limits`, "Limit must be set for non overcommitable resources")];
  const order = compareQuantities(parseQuantity(amount), parseQuantity(limit));
  if (order !== 0 && !isOvercommitted(name))
    return [invalid(field, amount, `must be equal to ${name} limit of ${limit}`)];
  return order > 0 ? [invalid(field, amount, `must be less than or equal to ${name} limit of ${limit}`)] : [];
}
