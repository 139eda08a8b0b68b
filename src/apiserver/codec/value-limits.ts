import type { ApiError } from "../../apimachinery/status.ts";
import { tooLarge } from "../refusals.ts";

/**
 * The most values (objects, lists, texts, numbers) of a body, so that its time is bounded before it is decoded. An object of
 * 1.5 MB that has only short fields, such as a CRD without descriptions, has 100,000, and as many fields with managers.
 */
export const mostBodyValues = 250_000;

export function tooManyValues(count: number, most: number): ApiError {
  return tooLarge(`it has ${count} values, the limit is ${most}`);
}
