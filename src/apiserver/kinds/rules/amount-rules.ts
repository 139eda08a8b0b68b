import { type FieldRule, must } from "./field-rules.ts";

/** The rule of a number or percentage of pods. */
export const amount: FieldRule = must(
  (value: unknown) => (typeof value === "number" ? value >= 0 : /^[0-9]+%$/.test(String(value))),
  "must be a number that is not negative, or a percentage such as '93%'",
);

/** The rule of an amount that is not more than all. */
export const atMostAll: FieldRule = must((value: unknown) => percentOf(value) <= 100, "must not be greater than 100%");

/** Returns the number before a percent sign; 0 if there is none. */
export function percentOf(value: unknown): number {
  return typeof value === "string" && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** Reports whether a number or percentage of pods is 0; one that cannot be read counts as 0. */
export function isZero(value: unknown = 0): boolean {
  return value === 0 || (typeof value === "string" && percentOf(value) === 0);
}
