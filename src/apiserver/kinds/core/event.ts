import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { type Fields, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoize } from "../../registry/memoize.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { ageOf, type Cell, parseColumns } from "../printing/printer.ts";
import type { Clock } from "../../../apimachinery/clock.ts";
import { isApiError } from "../../../apimachinery/status.ts";
import type { Store } from "../../storage/store.ts";
import type { StoredEvent } from "../../storage/event-ring.ts";

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

/** Requires that an event is in the namespace of its object, or in a default one. */
function eventErrors(event: UnstructuredObject): FieldError[] {
  const isCore = event.apiVersion === "v1";
  const about = textAt(isCore ? event : coreEventOf(event), "involvedObject", "namespace");
  const isTimed = Boolean(event["eventTime"]);
  const own = event.metadata.namespace ?? "";
  const allowed = about === "" ? ["", "default", ...(isTimed ? ["kube-system"] : [])] : [about];
  const isChecked = !isTimed || (!isCore && about === "");
  if (!isChecked || allowed.includes(own)) return [];
  return [invalid("involvedObject.namespace", about, "does not match event.namespace")];
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

/** Lifetime of an event after its last write: the default of a real server. */
const lifetimeMs = 60 * 60 * 1000;
/** Time until another attempt if the journal refuses a deletion, as on a full disk. */
const retryMs = 1000;

/** Deletes events at the end of their lifetime, which watchers see. The returned function stops that. */
export function expireEvents(store: Store, clock: Clock): () => void {
  const collection = store.collection({ group: "", plural: "events" });
  // All have the same lifetime: they expire in the order of their last writes.
  const ends = new Map<string, number>();
  for (const [key] of collection.entries("")) ends.set(key, clock.now() + lifetimeMs);
  let cancel: (() => void) | undefined;
  const wait = (): void => {
    const [first] = ends.values();
    cancel = first === undefined ? undefined : clock.after(Math.max(0, first - clock.now()), remove);
  };
  const remove = (): void => {
    for (const [key, end] of ends) {
      if (end > clock.now()) break;
      const event = collection.get(key);
      try {
        if (event) store.remove(collection, key, event);
      } catch (error) {
        // The journal has reported it.
        if (!isApiError(error)) throw error;
        cancel = clock.after(retryMs, remove);
        return;
      }
      ends.delete(key);
    }
    wait();
  };
  const note = ({ type, key }: StoredEvent): void => {
    ends.delete(key);
    if (type === "DELETED") return;
    ends.set(key, clock.now() + lifetimeMs);
    if (!cancel) wait();
  };
  const stop = collection.listen(note, () => {});
  wait();
  return () => {
    stop();
    cancel?.();
  };
}
