// Loaded before a program (`node --import`): it reports the peak memory of its process at the end.
import { writeSync } from "node:fs";
import { ownPeak } from "../../test/process-usage.mjs";

process.on("exit", () => writeSync(2, `peak ${ownPeak()}\n`));
