import type { WatchObserver } from "../cache/watch-observer.ts";
import type { RuntimeFamilies } from "./runtime-families.ts";

/** The `tsop_reflector_*` metrics, for which client-go has no names: what the cache's watches do, by kind. */
export function reflectorMetrics(families: RuntimeFamilies): (kind: string) => WatchObserver {
  const lists = families.counter("tsop_reflector_lists_total", "Total number of whole states that were taken in, streamed or in pages"); // prettier-ignore
  const watches = families.counter("tsop_reflector_watches_total", "Total number of watches that were begun");
  const relists = families.counter("tsop_reflector_relists_total", "Total number of whole states that had to be taken again, by reason"); // prettier-ignore
  const failures = families.counter("tsop_reflector_failures_total", "Total number of lists and watches that failed and are tried again, by reason"); // prettier-ignore
  const bytes = families.counter("tsop_reflector_received_bytes_total", "Total size of the objects that watches brought, as JSON without what the cache leaves out"); // prettier-ignore
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
  return (kind) => {
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
    };
  };
}
