import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoize } from "../../registry/memoize.ts";

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
export const eventOf: (stored: UnstructuredObject) => UnstructuredObject = memoize((stored) =>
  Object.freeze(renameFields(stored, "events.k8s.io/v1", new Map(names))),
);

/** Converts an event of events.k8s.io to the core group. */
export function coreEventOf(event: UnstructuredObject): UnstructuredObject {
  return renameFields(event, "v1", new Map(names.map(([core, events]) => [events, core])));
}

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
