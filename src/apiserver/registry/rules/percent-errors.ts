import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
  "validation is '[0-9]+%')";

/** What is wrong with a number of pods, or a share of them; nothing with one that is not there. */
export function percentErrors(field: string, value: unknown): FieldError[] {
  if (typeof value === "number") return value < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
  if (typeof value !== "string") return [];
  if (!/^[0-9]+%$/.test(value)) return [invalid(field, value, percentText)];
  return Number.parseInt(value, 10) > 100 ? [invalid(field, value, "must not be greater than 100%")] : [];
}
