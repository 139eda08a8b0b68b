import { invalid, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { dns1035Errors } from "./name-errors.ts";

const known = ["v1", "v1beta1"];

/** What is wrong with the versions of reviews that a webhook says it understands. */
export function reviewVersionErrors(value: unknown, field: string, whenNone = ""): FieldError[] {
  const versions = (value ?? []) as string[];
  if (versions.length === 0) return [required(field, whenNone)];
  const errors = versions.flatMap((version, index) => [
    ...dns1035Errors(`${field}[${index}]`, version),
    ...(versions.indexOf(version) < index ? [invalid(`${field}[${index}]`, version, "duplicate version")] : []),
  ]);
  if (versions.some((version) => known.includes(version))) return errors;
  return [...errors, invalid(field, versions, `must include at least one of ${known.join(", ")}`)];
}
