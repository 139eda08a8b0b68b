import { fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt, valueAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { ageOf } from "../printing/human-duration.ts";
import { type Cell, parseColumns } from "../printing/printer.ts";
import { coreEventOf, eventOf } from "./event-view.ts";

/** Event of the core group. */
export const event: BuiltinKind = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  applyDefaults(event) {
    const isCore = event.apiVersion === "v1";
    const [first, last, source] = isCore
      ? ["firstTimestamp", "lastTimestamp", "source"]
      : ["deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedSource"];
    // The zero values that Go writes.
    for (const name of ["eventTime", first, last]) event[name] ??= null;
    fill(event, { [source]: {}, ...(isCore && { reportingComponent: "", reportingInstance: "" }) });
  },
  // Both groups have this printer, and different names for the same fields.
  printer: {
    columns: [
      ...parseColumns("Last Seen|Type|Reason|Object|Subobject*|Source*|Message|First Seen*|Count*"),
      { name: "Name", type: "string", format: "name", description: "", priority: 1 },
    ],
    cells: eventCells,
  },
};

/** Event of events.k8s.io: a view of those of the core group. */
export const eventOfEvents: BuiltinKind = {
  ...event,
  view: { storage: { group: "", plural: "events" }, read: eventOf, write: coreEventOf },
};

function eventCells(object: Fields, now: number): Cell[] {
  const about = valueAt(object, "involvedObject") ?? valueAt(object, "regarding");
  const firstTime = valueAt(object, "firstTimestamp") ?? valueAt(object, "deprecatedFirstTimestamp");
  const firstSeen = ageOf(firstTime ?? valueAt(object, "eventTime"), now);
  const lastTime = valueAt(object, "lastTimestamp") ?? valueAt(object, "deprecatedLastTimestamp");
  const series = valueAt(object, "series");
  const count = numberAt(object, "count") || numberAt(object, "deprecatedCount") || 1;
  return [
    series ? ageOf(valueAt(series, "lastObservedTime"), now) : lastTime ? ageOf(lastTime, now) : firstSeen,
    textAt(object, "type"),
    textAt(object, "reason"),
    [textAt(about, "kind").toLowerCase(), textAt(about, "name")].filter((part) => part !== "").join("/"),
    textAt(about, "fieldPath"),
    eventSource(object),
    (textAt(object, "message") || textAt(object, "note")).trim(),
    firstSeen,
    series ? numberAt(series, "count") : count,
    textAt(object, "metadata", "name"),
  ];
}

function eventSource(object: Fields): string {
  const source = valueAt(object, "source") ?? valueAt(object, "deprecatedSource");
  const component = textAt(source, "component");
  const controller = textAt(object, "reportingComponent") || textAt(object, "reportingController");
  const host = textAt(source, "host") || textAt(object, "reportingInstance");
  return [component || controller, host].filter((part) => part !== "").join(", ");
}
