import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  roundUpQuantity,
} from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { listErrors } from "../rules/list-errors.ts";

const mostValues = 10;

/** Returns the errors of a policy that says which parts of a device's capacity can be requested. */
export function requestPolicyErrors(policy: Fields, at: string, capacity: string): FieldError[] {
  const values = (policy["validValues"] ?? []) as string[];
  const range = childIf(policy, "validRange");
  const both = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
  if (values.length === 0 && !range) return [];
  if (values.length > 0 && range) return [forbidden(at, both)];
  const name = range ? "validRange" : "validValues";
  if (!policy["default"]) return [required(`${at}.default`, `required when ${name} is defined`)];
  const limits = { usual: parseQuantity(textOf(policy["default"])), whole: parseQuantity(capacity) };
  return range ? rangeErrors(range, `${at}.${name}`, limits) : valuesErrors(values, `${at}.${name}`, limits);
}

interface Limits {
  /** The amount of a request that names none. */
  readonly usual: ParsedQuantity;
  readonly whole: ParsedQuantity;
}

function valuesErrors(texts: readonly string[], at: string, { usual, whole }: Limits): FieldError[] {
  const values = texts.map((text) => parseQuantity(text));
  const unsorted = "values must be sorted in ascending order";
  const tooLarge = `option is larger than capacity value: ${formatQuantity(whole)}`;
  const invalidDefault = "default value is not valid according to the requestPolicy";
  const isUsual = values.length <= mostValues && values.some((value) => compareQuantities(value, usual) === 0);
  return [
    ...values.flatMap((value, index) =>
      index > 0 && isLess(value, values[index - 1]!)
        ? [invalid(`${at}[${index}]`, formatQuantity(value), unsorted)]
        : [],
    ),
    ...listErrors(values, at, {
      most: mostValues,
      keyOf: (value) => String(wholeOf(value)),
      itemErrors: (value, field) => (isLess(whole, value) ? [invalid(field, formatQuantity(value), tooLarge)] : []),
    }),
    ...(isUsual ? [] : [invalid(at, formatQuantity(usual), invalidDefault)]),
  ];
}

function rangeErrors(range: Fields, at: string, { usual, whole }: Limits): FieldError[] {
  const [min, max, step] = ["min", "max", "step"].map((name) =>
    range[name] ? parseQuantity(textOf(range[name])) : undefined,
  );
  if (!min) return [required(`${at}.min`, "required when validRange is defined")];
  const errors: FieldError[] = [];
  const report = (name: string, value: ParsedQuantity, why: string, limit: ParsedQuantity): void =>
    void errors.push(invalid(`${at}.${name}`, formatQuantity(value), `${why}: ${formatQuantity(limit)}`));
  if (isLess(whole, min)) report("min", min, "min is larger than capacity value", whole);
  if (isLess(usual, min)) report("min", usual, "default is less than min", min);
  if (max && isLess(max, min)) report("max", min, "min is larger than max", max);
  if (max && isLess(whole, max)) report("max", max, "max is larger than capacity value", whole);
  if (max && isLess(max, usual)) report("max", usual, "default is more than max", max);
  if (!step) return errors;
  const first = addQuantities(min, step);
  if (isLess(whole, first))
    report("step", step, `one step ${formatQuantity(first)} is larger than capacity value`, whole);
  const steps = `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`;
  const uneven = [usual, max].filter((value) => value !== undefined && !isStep(value, min, step));
  return [...errors, ...uneven.map((value) => invalid(`${at}.step`, formatQuantity(value!), steps))];
}

/** Reports whether a value is some steps from the smallest. Steps of zero, by which a real server dies, are none. */
function isStep(value: ParsedQuantity, min: ParsedQuantity, step: ParsedQuantity): boolean {
  const size = wholeOf(step);
  return size === 0n || (wholeOf(value) - wholeOf(min)) % size === 0n;
}

function isLess(a: ParsedQuantity, b: ParsedQuantity): boolean {
  return compareQuantities(a, b) < 0;
}

function wholeOf(value: ParsedQuantity): bigint {
  return roundUpQuantity(value).nanos / 10n ** 9n;
}
