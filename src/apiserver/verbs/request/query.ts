import { badRequest } from "../../refusals.ts";

/** A whole number of a query; what is none is refused as Go's parser does. */
export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** As Go reads a boolean parameter: present means true, unless it says otherwise. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
