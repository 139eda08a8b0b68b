import { expect, it } from "vitest";
import { coloured, formatLogLine, plain } from "../../../src/local/format-log-line.ts";

const time = /^\d\d:\d\d:\d\d\.\d{3} /;
const show = (entry: object) => formatLogLine(JSON.stringify(entry), plain).replace(time, "");

it.each<[string, object, string]>([
  ["a message", { level: "info", ts: 1, msg: "Starting Controller" }, "INFO  Starting Controller"],
  [
    "logger and fields",
    { level: "info", ts: "2026-05-01T10:00:00Z", logger: "setup", msg: "starting", port: 8080, text: "two words" },
    'INFO  setup starting port=8080 text="two words"',
  ],
  [
    "a namespaced name",
    { level: "debug", ts: 1, msg: "x", Memcached: { name: "sample", namespace: "default" } },
    "DEBUG x Memcached=default/sample",
  ],
  [
    "a reconcile's fields once each",
    {
      level: "info",
      ts: 1,
      msg: "x",
      controller: "memcached",
      controllerGroup: "cache.example.com",
      controllerKind: "Memcached",
      Memcached: { name: "sample", namespace: "default" },
      namespace: "default",
      name: "sample",
      reconcileID: "1-2-3",
      size: 2,
    },
    "INFO  x controller=memcached Memcached=default/sample reconcileID=1-2-3 size=2",
  ],
  [
    "an error with its stack",
    { level: "error", ts: 1, msg: "Reconciler error", error: "no luck", stacktrace: "at a (a.ts:1:2)\nat b" },
    'ERROR Reconciler error\n  "no luck"\n  at a (a.ts:1:2)\n  at b',
  ],
])("shows %s", (_, entry, expected) => {
  expect(show(entry)).toBe(expected);
});

it.each(["plain text", "{not json", '{"other":"object"}', "", '{"level":1,"msg":"x"}'])(
  "leaves %j as it is",
  (line) => {
    expect(formatLogLine(line, coloured)).toBe(line);
  },
);

it("starts with the local time of day", () => {
  const date = new Date("2026-05-01T10:20:30.456Z");
  const line = formatLogLine(JSON.stringify({ level: "info", ts: date.toISOString(), msg: "x" }), plain);
  const two = (value: number) => String(value).padStart(2, "0");
  expect(line).toBe(`${two(date.getHours())}:${two(date.getMinutes())}:30.456 INFO  x`);
});

it("colours levels for a terminal", () => {
  expect(formatLogLine('{"level":"error","ts":1,"msg":"x"}', coloured)).toContain("\u001b[31mERROR\u001b[0m");
});
