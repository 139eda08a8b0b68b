import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { formatEntry, formatSnapshot, readLog } from "../../../../src/sandbox/disk/log-records.ts";

const object = (name: string, revision: number) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name, resourceVersion: String(revision) },
  data: { text: "é\n" },
});
const entry = (name: string, revision: number, isDeleted = false) => ({
  resource: "/configmaps",
  key: `default/${name}`,
  revision,
  text: isDeleted ? undefined : JSON.stringify(object(name, revision)),
});
const base = [...formatSnapshot({ revision: 3, objects: { "/configmaps": { "default/a": object("a", 2) } } })];
const changes = [formatEntry(entry("b", 4)), formatEntry(entry("a", 5, true)), formatEntry(entry("__proto__", 6))];
const log = Buffer.concat([...base, ...changes]);
const lengthOfBase = Buffer.concat(base).length;
const read = (bytes: Buffer) => readLog("state.log", bytes);
const keys = (bytes: Buffer) => Object.keys(read(bytes).snapshot.objects["/configmaps"] ?? {});

it("reads the state after the last change", () => {
  const { snapshot, end } = read(log);
  expect(end).toBe(log.length);
  expect(snapshot.revision).toBe(6);
  expect(Object.entries(snapshot.objects["/configmaps"]!)).toEqual([
    ["default/b", object("b", 4)],
    ["default/__proto__", object("__proto__", 6)],
  ]);
});

it("leaves out a part of a record at the end, wherever it was cut", () => {
  const lengths = changes.map((_, index) => Buffer.concat([...base, ...changes.slice(0, index)]).length);
  for (let length = lengthOfBase; length < log.length; length++) {
    const { end, snapshot } = read(log.subarray(0, length));
    const whole = lengths.filter((each) => each <= length).at(-1);
    expect([end, snapshot.revision]).toEqual([whole, 3 + lengths.indexOf(whole!)]);
  }
});

it("refuses a changed byte before whole records, and names its record", () => {
  // Without the line break before it, the last record is not told from its predecessor.
  const last = log.length - changes[2]!.length - 1;
  for (let at = lengthOfBase; at < last; at++) {
    const damaged = Buffer.from(log);
    damaged[at]! ^= 1;
    const offset = at < lengthOfBase + changes[0]!.length ? lengthOfBase : lengthOfBase + changes[0]!.length;
    expect(() => read(damaged), `byte ${at}`).toThrow(`state.log is damaged at byte ${offset}`);
  }
});

it("refuses a log whose first objects are incomplete", () => {
  const head = base[0]!.length;
  for (let length = head; length < lengthOfBase; length++)
    expect(() => read(log.subarray(0, length))).toThrow("it ends before its first objects are complete");
});

it("leaves out what was not written at the end", () => {
  expect(keys(Buffer.concat([log, Buffer.alloc(100)]))).toEqual(["default/b", "default/__proto__"]);
  expect(read(Buffer.concat([log, Buffer.from("\n\n")])).end).toBe(log.length);
});

it.each(["", "{", "tsop state log, format 1\n", "tsop state log, format x\n", '{"format":1}\n'])(
  "refuses another format: %j",
  (text) => {
    expect(() => read(Buffer.from(text))).toThrow("this version does not read its format");
  },
);

it.each(["null", "{", "[1]", '"x"'])("refuses a record with a right checksum that is %s", (json) => {
  const line = `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
  const file = Buffer.concat([...formatSnapshot({ revision: 1, objects: {} }), Buffer.from(line)]);
  expect(() => readLog("f", file)).toThrow("this version does not read its format");
});
