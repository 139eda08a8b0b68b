import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoized } from "../../registry/memoized.ts";

/** Names of the same fields in core/v1 and events.k8s.io/v1. */
const names: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

/** An event as events.k8s.io shows it; stored are those of the core group. */
export const eventOf: (stored: UnstructuredObject) => UnstructuredObject = memoized((stored) =>
  Object.freeze(renamed(stored, "events.k8s.io/v1", new Map(names))),
);

/** The core event of one that came by events.k8s.io. */
export function coreEventOf(event: UnstructuredObject): UnstructuredObject {
  return renamed(event, "v1", new Map(names.map(([core, events]) => [events, core])));
}

function renamed(event: UnstructuredObject, apiVersion: string, to: ReadonlyMap<string, string>): UnstructuredObject {
  const fields = Object.entries(event)
    // Only the core group writes these when they are empty.
    .filter(([name, value]) => value !== "" || !name.startsWith("reporting"))
    .map(([name, value]) => [to.get(name) ?? name, value]);
  return { ...(Object.fromEntries(fields) as UnstructuredObject), apiVersion };
}
