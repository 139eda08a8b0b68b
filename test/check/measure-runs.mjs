// `node --expose-gc measure-runs.mjs SOURCES FILE RUNS EVERY` runs what FILE lists, in turn, RUNS times, one after the
// other in one thread, and prints a line of JSON now and then: the runs so far, the heap of the thread and the memory of
// the process in MB, and the median of the CPU time of a run in ms.
import { mkdtempSync, readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { dirname, join } from "node:path";
import { startWorker } from "./simulation-worker.mjs";

const [sources, file, wanted, every] = process.argv.slice(2);
const { scripts, runs } = deserialize(readFileSync(file));
const worker = startWorker(sources, scripts, mkdtempSync(join(dirname(file), "process-")));
const round = (bytes) => Math.round(bytes / 2 ** 16) / 16;
let times = [];
for (let done = 1; done <= Number(wanted); done++) {
  const before = process.cpuUsage();
  await worker.run(runs[done % runs.length]);
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
  if (done % Number(every) > 0) continue;
  const { heapUsed, rss } = await worker.memory();
  const cpuMs = Math.round(times.sort((a, b) => a - b)[times.length >> 1]);
  console.log(JSON.stringify({ runs: done, heap: round(heapUsed), rss: round(rss), cpuMs }));
  times = [];
}
await worker.terminate();
