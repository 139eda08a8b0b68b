import { readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";

/** Shorter than the slice of a loop over many objects (runtime/turns.ts): two slices never count as one turn. */
const everyMs = 1;

/** The time of a process in which its code runs for the first time. */
const warmUpMs = 1000;

/**
 * Watches the turns of the event loop from now on. The result contains the longest turn, the longest computation and
 * its time, the same without the first second, and the time of garbage collection. On a busy machine, the longest turn
 * is mostly waiting for a CPU; the other figures are the program's own, which Linux provides.
 */
export function watchStalls() {
  const longest = { wall: 0, computing: 0, at: 0, later: 0 };
  let gc = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc += duration;
  });
  collections.observe({ entryTypes: ["gc"] });
  let before = now();
  const look = () => {
    const after = now();
    longest.wall = Math.max(longest.wall, after.wall - before.wall - everyMs);
    const computing = after.computing - before.computing;
    if (!(computing <= longest.computing)) Object.assign(longest, { computing, at: after.wall });
    if (before.wall > warmUpMs && !(computing <= longest.later)) longest.later = computing;
    before = after;
    setTimeout(look, everyMs).unref();
  };
  setTimeout(look, everyMs).unref();
  return () => Object.fromEntries(Object.entries({ ...longest, gc }).map(([name, ms]) => [name, Math.round(ms)]));
}

/** The main thread's own time, in ms. */
function now() {
  try {
    const [nanoseconds] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
    return { wall: performance.now(), computing: Number(nanoseconds) / 1e6 };
  } catch {
    return { wall: performance.now(), computing: Number.NaN };
  }
}
