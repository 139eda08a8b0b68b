import { fill, type Fields } from "../../../apimachinery/fields.ts";

/** The zero values that Go writes for an event, in the words of both of its groups. */
export function defaultEvent(event: Fields): void {
  const isCore = event["apiVersion"] === "v1";
  const [first, last, source] = isCore
    ? ["firstTimestamp", "lastTimestamp", "source"]
    : ["deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedSource"];
  for (const name of ["eventTime", first, last]) event[name] ??= null;
  fill(event, { [source]: {}, ...(isCore && { reportingComponent: "", reportingInstance: "" }) });
}
