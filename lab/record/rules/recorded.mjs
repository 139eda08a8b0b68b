// A recording is also the list of its cases: add one with an empty answer, and record again.
import { readFileSync, writeFileSync } from "node:fs";

const fileOf = (room, name) => new URL(`../../../test/unit/${room}/recorded/${name}.json`, import.meta.url);

export function readRecorded(room, name) {
  return JSON.parse(readFileSync(fileOf(room, name), "utf8"));
}

/** Writes a table of a real server's responses to the folder that the unit tests read. */
export function writeRecorded(room, name, value) {
  writeFileSync(fileOf(room, name), `${JSON.stringify(value, null, 1)}\n`);
}
