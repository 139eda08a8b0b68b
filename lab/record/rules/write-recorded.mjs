import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Writes a table of a real server's responses to the folder that the unit tests read. */
export function writeRecorded(room, name, value) {
  const target = fileURLToPath(new URL(`../../../test/unit/${room}/recorded/${name}.json`, import.meta.url));
  writeFileSync(target, `${JSON.stringify(value, null, 1)}\n`);
}
