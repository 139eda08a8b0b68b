import type { Fields } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { wordErrors } from "../rules/value-errors.ts";
import { successPolicyErrors } from "./job-policies.ts";

/** Checks the fields of indexed jobs. */
export function indexErrors(spec: Fields, at: string): FieldError[] {
  const isAlone = spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined;
  const foreign = ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"];
  return [
    // The schema reports an unknown one.
    ...(spec["completionMode"] === "" ? wordErrors(`${at}.completionMode`, "", ["NonIndexed", "Indexed"]) : []),
    ...(isAlone ? [required(`${at}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")] : []),
    ...(spec["completionMode"] === "Indexed"
      ? countErrors(spec, at)
      : foreign
          .filter((name) => spec[name] !== undefined)
          .map((name) => invalid(`${at}.${name}`, spec[name], "requires indexed completion mode"))),
  ];
}

/** Warns of a job with so many indexes that the list of those that have failed may grow too long. */
export function indexWarnings(spec: Fields | undefined, at = "spec"): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode !== "Indexed" || Number(completions) <= many || Number(parallelism) <= fewer) return [];
  const effect = "Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  const counts = "a number of completions higher than 10^5 and a parallelism higher than 10^4";
  return [`${at}: In Indexed Jobs with ${counts}, ${effect}`];
}

/** The most indexes that run or fail at a time, and those of a job that retries each of more than `many` indexes. */
const [many, fewer] = [100_000, 10_000];

function countErrors(spec: Fields, at: string): FieldError[] {
  const { completions } = spec;
  return [
    ...(completions === undefined
      ? [required(`${at}.completions`, "when completion mode is Indexed")]
      : excessErrors(spec, "maxFailedIndexes", { at, limit: Number(completions), text: "completions" })),
    ...excessErrors(spec, "parallelism", { at, limit: many, text: `${many} when completion mode is Indexed` }),
    ...excessErrors(spec, "maxFailedIndexes", { at, limit: many, text: `${many}` }),
    ...(spec["successPolicy"] ? successPolicyErrors(spec, `${at}.successPolicy`) : []),
    ...(Number(completions ?? 0) > many && spec["backoffLimitPerIndex"] !== undefined ? retryErrors(spec, at) : []),
  ];
}

function retryErrors(spec: Fields, at: string): FieldError[] {
  const field = "maxFailedIndexes";
  const text = `${fewer} when completions are above ${many} and used with backoff limit per index`;
  return [
    ...(spec[field] === undefined
      ? [required(`${at}.${field}`, `must be specified when completions is above ${many}`)]
      : []),
    ...excessErrors(spec, field, { at, limit: fewer, text }),
    ...excessErrors(spec, "parallelism", { at, limit: fewer, text }),
  ];
}

interface Limit {
  readonly at: string;
  readonly limit: number;
  /** Names the limit. */
  readonly text: string;
}

/** Returns an error if a number of the spec is above a limit. */
function excessErrors(spec: Fields, name: string, { at, limit, text }: Limit): FieldError[] {
  const isAbove = Number(spec[name] ?? 0) > limit;
  return isAbove ? [invalid(`${at}.${name}`, spec[name], `must be less than or equal to ${text}`)] : [];
}
