import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import type { ReportMessage } from "../../../runtime/report/report-message.ts";

const types = new Set(["hello", "start", "end", "dropped"]);

/** Parses a line of the operator's report; `undefined` for anything else that its program writes to the pipe. */
export function parseReport(line: string): ReportMessage | undefined {
  const value = parseJsonObjectOrUndefined(line);
  return value && types.has(String(value["type"])) ? (value as unknown as ReportMessage) : undefined;
}
