import { expect, it } from "vitest";
import { coloured, formatLogLine, isRepeatedPanic, plain } from "../../../../src/runtime/log/format-log-line.ts";

const time = /^\d\d:\d\d:\d\d\.\d{3} /;
/** Shows an entry, which has level, time and message unless it is given others. */
const show = (entry: object) =>
  formatLogLine(JSON.stringify({ level: "info", ts: 1, msg: "x", ...entry }), plain).replace(time, "");

it.each<[string, object, string]>([
  ["a message", { msg: "Starting Controller" }, "INFO  Starting Controller"],
  [
    "logger and fields",
    { level: "info", ts: "2026-05-01T10:00:00Z", logger: "setup", msg: "starting", port: 8080, text: "two words" },
    'INFO  setup starting port=8080 text="two words"',
  ],
  [
    "a namespaced name",
    { level: "debug", Memcached: { name: "sample", namespace: "default" } },
    "DEBUG x Memcached=default/sample",
  ],
  [
    "a reconcile's fields once each",
    {
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
    "ERROR Reconciler error\n  no luck\n  at a (a.ts:1:2)\n  at b",
  ],
  [
    "the own frames of an error in a field",
    {
      err: "boo",
      errVerbose: "RangeError: boo\n    at own (/p/own.ts:1:2)\n    at internal (node:fs:1:2)",
    },
    "INFO  x err=boo\n  RangeError: boo\n      at own (/p/own.ts:1:2)",
  ],
  [
    "an error once, with the frames of the user's code",
    {
      level: "error",
      ts: 1,
      msg: "Reconciler error",
      error: 'cannot create "configmaps": add to your controller: // +kubebuilder:rbac:groups="",verbs=create',
      stacktrace: [
        'ApiError: cannot create "configmaps": add to your controller: // +kubebuilder:rbac:groups="",verbs=create',
        "    at refusal (file:///p/node_modules/tsop/dist/index.js:537:32)",
        "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
        "    at async MemcachedReconciler.reconcile (/p/controllers/memcached_controller.ts:43:5)",
        "    at async Promise.all (index 0)",
        "    at async Controller.handle (C:\\p\\node_modules\\tsop\\dist\\index.js:2000:22)",
      ].join("\n"),
    },
    "ERROR Reconciler error\n" +
      '  ApiError: cannot create "configmaps": add to your controller: // +kubebuilder:rbac:groups="",verbs=create\n' +
      "      at async MemcachedReconciler.reconcile (/p/controllers/memcached_controller.ts:43:5)",
  ],
  [
    "the causes, which a stack does not name",
    {
      level: "error",
      error: "no answer: refused",
      stacktrace: "Error: no answer\n    at a (a.ts:1:2)",
    },
    "ERROR x\n  no answer: refused\n      at a (a.ts:1:2)",
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

it("recognizes the second line of a panic", () => {
  const entry = { level: "error", ts: 1, msg: "Reconciler error", error: "panic: a\nb [recovered]" };
  expect(isRepeatedPanic(JSON.stringify(entry))).toBe(true);
  expect(isRepeatedPanic(JSON.stringify({ ...entry, error: "panic: a" }))).toBe(false);
  expect(isRepeatedPanic(JSON.stringify({ level: "error", ts: 1, msg: "Observed a panic", panic: "a" }))).toBe(false);
});
