// `node digest-runs.mjs SOURCES FILE [--reverse]` runs what FILE lists in a simulation, and prints a digest of each record.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const [sources, file, order] = process.argv.slice(2);
const { scripts, runs } = deserialize(readFileSync(file));
// The other process has a folder of its own.
const folder = mkdtempSync(join(dirname(file), "process-"));
const entry = pathToFileURL(`${sources}/simulation/worker.js`).href;
const worker = new Worker(`import(${JSON.stringify(entry)}).then(({ runWorker }) => runWorker())`, {
  eval: true,
  workerData: { scripts, endpoint: undefined, folder },
});
const numbered = runs.map((message, index) => ({ message, index }));
for (const { message, index } of order === "--reverse" ? numbered.toReversed() : numbered) {
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.postMessage(message);
  });
  worker.removeAllListeners("error");
  if (answer.type === "error") throw new Error(answer.error.stack);
  const text = JSON.stringify(answer.record, (_, value) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  console.log(index, createHash("sha256").update(text).digest("hex"));
}
await worker.terminate();
