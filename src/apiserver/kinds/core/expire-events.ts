import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Clock } from "../../../apimachinery/clock.ts";
import { isApiError } from "../../../apimachinery/status.ts";
import type { Store } from "../../storage/store.ts";
import type { StoredEvent } from "../../storage/event-ring.ts";

/** Lifetime of an event after its last write: the default of a real server. */
const lifetimeMs = 60 * 60 * 1000;
/** Time until another attempt if the journal refuses a deletion, as on a full disk. */
const retryMs = 1000;

/** Deletes events at the end of their lifetime, which watchers see. The returned function stops that. */
export function expireEvents(store: Store, clock: Clock): () => void {
  const collection = store.collection({ group: "", plural: "events" });
  // All have the same lifetime: they expire in the order of their last writes.
  const ends = new Map<string, number>();
  for (const [key, end] of [...collection.entries("")]
    .map(([key, event]) => [key, lastWritten(event, clock.now()) + lifetimeMs] as const)
    .toSorted(([, a], [, b]) => a - b))
    ends.set(key, end);
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

/** Returns the time of the last write, as far as a saved event shows it. */
function lastWritten({ metadata, lastTimestamp, series }: UnstructuredObject, now: number): number {
  const { lastObservedTime } = (series ?? {}) as { lastObservedTime?: string };
  const times = [metadata.creationTimestamp, lastTimestamp, lastObservedTime].map((time) => Date.parse(String(time)));
  // A clock that was set back must not keep events for ever.
  return Math.min(now, Math.max(...times.filter((time) => !Number.isNaN(time)), now - lifetimeMs));
}
