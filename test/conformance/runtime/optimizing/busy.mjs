// A manager's process that computes, for optimizing.test.ts: prints whether V8 has optimized a function that ran often, at
// first and later.
// usage: node --allow-natives-syntax busy.mjs MILLISECONDS
import { setTimeout as after } from "node:timers/promises";
import { runInThisContext } from "node:vm";
import { createManager, discardLogger } from "../../../../dist/index.js";

const statusOf = runInThisContext("(subject) => %GetOptimizationStatus(subject)");
/** The bit of an optimized function; Node 26 has a V8 without one of the lower bits. */
const optimized = Number.parseInt(process.versions.node) >= 26 ? 1 << 3 : 1 << 4;
const mgr = await createManager(
  { server: "http://127.0.0.1:1", namespace: "default", source: "the test" },
  { logger: discardLogger },
);
const stop = new AbortController();
const done = mgr.start(stop.signal);
await mgr.elected;

/** More functions than V8 inlines at one call site. */
const subjects = [1, 2, 3, 5, 7, 11, 13, 17].map(makeFunction);
const isOptimized = () => subjects.some((subject) => (statusOf(subject) & optimized) !== 0);
work(200);
const early = isOptimized();
const deadline = Date.now() + Number(process.argv[2]);
while (!isOptimized() && Date.now() < deadline) {
  work(200);
  await after(20);
}
process.stdout.write(JSON.stringify({ early, late: isOptimized() }));
stop.abort();
await done;

function work(ms) {
  for (const end = performance.now() + ms; performance.now() < end;)
    for (let turn = 0; turn < 1000; turn++) subjects[turn % subjects.length](turn);
}

/** Returns a new function, with code of its own. */
function makeFunction(factor) {
  return runInThisContext(`(number) => (number * ${factor} + 1) | 0`);
}
