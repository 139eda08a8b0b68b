import { parseDuration } from "../../apimachinery/duration.ts";
import { badRequest } from "../refusals.ts";

/** No request takes long enough here to be cut off by its `timeout`; but it has to be one. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get("timeout");
  if (!text || parseDuration(text) !== undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - time: ${complaint(text)}`);
}

/** In the words of Go's parser. */
function complaint(text: string): string {
  const amount = /^[-+]?(?:\d+\.?\d*|\.\d+)([^\d.]*)/.exec(text);
  const quoted = JSON.stringify(text);
  if (!amount) return `invalid duration ${quoted}`;
  return amount[1]
    ? `unknown unit ${JSON.stringify(amount[1])} in duration ${quoted}`
    : `missing unit in duration ${quoted}`;
}
