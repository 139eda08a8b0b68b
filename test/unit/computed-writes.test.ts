import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const src = fileURLToPath(new URL("../../src", import.meta.url));
/** The rooms that handle objects, patches and schemas from outside. */
const rooms = ["apimachinery", "apiserver", "client/manifests"];

/** Writes whose name is not from outside, or that are to a list. A new name from outside is written by `setField`. */
const safe = new Set([
  // The way to write a field.
  "apimachinery/set-field.ts: fields[name] = value",
  // A list.
  'apimachinery/yaml/emit.ts: newLines[indent] ??= `\\n${" ".repeat(indent)}`)',
  // Names of constants and of recorded tables.
  "apimachinery/read-shape.ts: result[field] = read(value, inner, within(place, field))",
  'apimachinery/fields.ts: target[name] ??= typeof value === "object" && value !== null ? structuredClone(value) : value',
  "apimachinery/fields.ts: parent[name] ??= {}) as Fields",
  "apiserver/crd/crd-entries.ts: accepted[field] = kept",
  "apiserver/kinds/core/event.ts: event[name] ??= null",
  "apiserver/kinds/core/pod/pod.ts: spec[field] ??= before[field]",
  "apiserver/kinds/core/service/service.ts: spec[field] = oldSpec[field]",
  "apiserver/kinds/core/endpoints.ts: slice[list] = null",
  "apiserver/verbs/object/prepare-object.ts: candidate[field] = live[field]",
  "apiserver/verbs/write/update-object.ts: to[field] = cloneJson(from[field])",
]);
/** Files whose writes are all named by recorded tables, or by the types that those name. */
const tables = ["apiserver/codec/protobuf/", "apiserver/endpoints/openapi/"];

it("writes fields with names from outside only by setField", () => {
  const found = rooms.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${room}/${file}`)
      .filter((file) => !tables.some((folder) => file.startsWith(folder)))
      .flatMap((file) => computedWrites(readFileSync(join(src, file), "utf8")).map((write) => `${file}: ${write}`)),
  );
  expect(found.filter((write) => !safe.has(write))).toEqual([]);
});

/** Finds assignments such as `x[name] = y`, but not those to a tuple or to a constant index. */
function computedWrites(text: string): string[] {
  return [...text.matchAll(/[\w.#)]+\[[a-z][\w.]*\] (?:\?\?|\|\|)?= .*?(?=;?$)/gm)].map(([write]) => write);
}
