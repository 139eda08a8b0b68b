import type { WatchObserver } from "../cache/watch-observer.ts";
import type { Families } from "./runtime-families.ts";

/** Creates the `tsop_reflector_*` metrics of the cache's watches by kind; client-go has no names for them. */
export function reflectorMetrics(families: Families): (kind: string) => WatchObserver {
  const lists = families.counter("tsop_reflector_lists_total", "Total number of complete lists, streamed or paged"); // prettier-ignore
  const watches = families.counter("tsop_reflector_watches_total", "Total number of watches that were begun");
  const relists = families.counter("tsop_reflector_relists_total", "Total number of repeated lists, by reason"); // prettier-ignore
  const failures = families.counter("tsop_reflector_failures_total", "Total number of failed lists and watches, by reason"); // prettier-ignore
  const bytes = families.counter("tsop_reflector_received_bytes_total", "Total size of the objects received by watches, as JSON without the fields that the cache drops"); // prettier-ignore
  const objects = families.gauge("tsop_reflector_objects", "Current number of objects in the cache");
  const heard = new Map<string, number>();
  const age = families.gauge(
    "tsop_reflector_last_event_age_seconds",
    "How long ago something came on a watch, were it only a bookmark",
    () => {
      // prettier-ignore
      for (const [kind, time] of heard) age.with({ kind }).set((performance.now() - time) / 1000);
    },
  );
  /** The informers of each kind: whole objects, metadata, and other versions share its series. */
  const informers = new Map<string, number>();
  return (kind) => {
    informers.set(kind, (informers.get(kind) ?? 0) + 1);
    const own = { kind };
    const [listed, watching, received, stored] = [lists, watches, bytes, objects].map((family) => family.with(own));
    return {
      listed: () => listed!.inc(),
      watching: () => watching!.inc(),
      relisting: (reason) => relists.with({ kind, reason }).inc(),
      failed: (reason) => failures.with({ kind, reason }).inc(),
      received(size) {
        received!.inc(size);
        heard.set(kind, performance.now());
      },
      stored: (change) => stored!.inc(change),
      forget() {
        const left = informers.get(kind)! - 1;
        informers.set(kind, left);
        if (left > 0) return;
        heard.delete(kind);
        for (const family of [lists, watches, relists, failures, bytes, objects, age]) family.remove(own);
      },
    };
  };
}
