import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, required, tooMany } from "../../../apimachinery/field-error.ts";
import { listErrors } from "../rules/list-errors.ts";
import { dnsLabelErrors } from "../rules/name-errors.ts";

/** Returns the errors of the counters that devices share. */
export function sharedCounterErrors(spec: Fields): FieldError[] {
  return listErrors(items(spec, "sharedCounters"), "spec.sharedCounters", {
    most: 8,
    keyOf: ({ name }) => name,
    itemErrors: (set, at) => [...nameErrors(set["name"], `${at}.name`), ...countersErrors(set, at)],
  });
}

/** Returns the errors in a device's use of shared counters. */
export function consumedCounterErrors(device: Fields, at: string): FieldError[] {
  return listErrors(items(device, "consumesCounters"), `${at}.consumesCounters`, {
    most: 2,
    keyOf: ({ counterSet }) => counterSet,
    itemErrors: (use, field) => [
      ...nameErrors(use["counterSet"], `${field}.counterSet`),
      ...countersErrors(use, field),
    ],
  });
}

const mostCounters = 32;

function countersErrors(of: Fields, at: string): FieldError[] {
  const names = Object.keys(childIf(of, "counters") ?? {});
  if (names.length === 0) return [required(`${at}.counters`)];
  if (names.length > mostCounters) return [tooMany(`${at}.counters`, names.length, mostCounters)];
  return names.flatMap((name) => nameErrors(name, `${at}.counters`));
}

function nameErrors(name: unknown, at: string): FieldError[] {
  return name ? dnsLabelErrors(at, textOf(name)) : [required(at)];
}
