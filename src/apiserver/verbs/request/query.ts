import { badRequest } from "../../refusals.ts";

/** Parses a whole number of a query. Refuses other text like Go's parser. */
export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Reports whether a boolean parameter is true, like Go: present, and neither `0` nor `false`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
