import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { type Fields, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoize } from "../../registry/memoize.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { ageOf } from "../printing/human-duration.ts";
import { enumOf, fieldRules, format, maxBytes, minimum, must, required, type RowsCheck } from "../rules/field-rules.ts";
import { type Cell, parseColumns } from "../printing/printer.ts";

/** Event of the core group. */
export const event: BuiltinKind = {
  createsOnUpdate: true,
  takesAnyFinalizer: true,
  applyDefaults(event) {
    const isCore = event.apiVersion === "v1";
    const [first, last, source] = isCore
      ? ["firstTimestamp", "lastTimestamp", "source"]
      : ["deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedSource"];
    // The zero values that Go writes.
    for (const name of ["eventTime", first, last]) event[name] ??= null;
    fill(event, { [source]: {}, ...(isCore && { reportingComponent: "", reportingInstance: "" }) });
  },
  validate: eventErrors,
  // Both groups have this printer, and different names for the same fields.
  printer: {
    columns: [
      ...parseColumns("Last Seen|Type|Reason|Object|Subobject*|Source*|Message|First Seen*|Count*"),
      { name: "Name", type: "string", format: "name", description: "", priority: 1 },
    ],
    cells: eventCells,
  },
};

/** Returns the check of an event with a time, whose controller has this field. */
const timedErrors = (controller: string): RowsCheck =>
  fieldRules({
    [controller]: [required(), format("k8s-label-key")],
    "(reportingInstance|action|reason)": [required(), maxBytes(128)],
    message: maxBytes(1024),
  });
const timedOfCore = timedErrors("reportingComponent");
const timedOfEvents = timedErrors("reportingController");

/** Checks a new event of events.k8s.io, with the names of the core group. */
const strictErrors = fieldRules({
  eventTime: required(),
  type: [required(), enumOf("Normal", "Warning")],
  series: { count: [required(), minimum(2)], lastObservedTime: required() },
  "(firstTimestamp|lastTimestamp|count)": must((value) => !value, "needs to be unset"),
  source: must((source: Fields) => Object.keys(source).length === 0, "needs to be unset"),
});

/** Returns the errors of an event of either group. Those with an `eventTime` are checked more strictly. */
function eventErrors(event: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const isCore = event.apiVersion === "v1";
  const { reportingController } = event;
  const core = isCore ? event : { ...coreEventOf(event), reportingController };
  const about = textAt(core, "involvedObject", "namespace");
  const isTimed = Boolean(event["eventTime"]);
  const own = event.metadata.namespace ?? "";
  const allowed = about === "" ? ["", "default", ...(isTimed ? ["kube-system"] : [])] : [about];
  const isChecked = !isTimed || (!isCore && about === "");
  return [
    ...(isChecked && !allowed.includes(own)
      ? [invalid("involvedObject.namespace", about, "does not match event.namespace")]
      : []),
    ...(isTimed ? (isCore ? timedOfCore : timedOfEvents)(core) : []),
    ...(isCore || old ? [] : strictErrors(core)),
  ];
}

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

/** The names of the same fields in core/v1 and events.k8s.io/v1. */
const names: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

/** Converts a stored event, which is of the core group, to events.k8s.io. */
const eventOf: (stored: UnstructuredObject) => UnstructuredObject = memoize((stored) =>
  Object.freeze(renameFields(stored, "events.k8s.io/v1", new Map(names))),
);

/** Converts an event of events.k8s.io to the core group. */
function coreEventOf(event: UnstructuredObject): UnstructuredObject {
  return renameFields(event, "v1", new Map(names.map(([core, events]) => [events, core])));
}

/** Event of events.k8s.io: a view of those of the core group. */
export const eventOfEvents: BuiltinKind = {
  ...event,
  takesAnyFinalizer: false,
  view: { storage: { group: "", plural: "events" }, read: eventOf, write: coreEventOf },
};

function renameFields(
  event: UnstructuredObject,
  apiVersion: string,
  to: ReadonlyMap<string, string>,
): UnstructuredObject {
  const fields = Object.entries(event)
    // Only the core group writes these if they are empty.
    .filter(([name, value]) => value !== "" || !name.startsWith("reporting"))
    .map(([name, value]) => [to.get(name) ?? name, value]);
  return { ...(Object.fromEntries(fields) as UnstructuredObject), apiVersion };
}
