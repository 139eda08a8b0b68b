// `node digest-runs.mjs SOURCES FILE [--reverse]` runs what FILE lists in a simulation, and prints a digest of each record.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { dirname, join } from "node:path";
import { startWorker } from "./simulation-worker.mjs";

const [sources, file, order] = process.argv.slice(2);
const { scripts, runs } = deserialize(readFileSync(file));
// The other process has a folder of its own.
const worker = startWorker(sources, scripts, mkdtempSync(join(dirname(file), "process-")));
const numbered = runs.map((message, index) => ({ message, index }));
for (const { message, index } of order === "--reverse" ? numbered.toReversed() : numbered) {
  const text = JSON.stringify(await worker.run(message), (_, value) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  console.log(index, createHash("sha256").update(text).digest("hex"));
}
await worker.terminate();
