import { describe, expect, it, vi } from "vitest";
import { failure } from "../../../../src/apimachinery/status.ts";
import { TerminalError } from "../../../../src/runtime/controller/reconciler.ts";
import { zapLogger, type ZapOptions } from "../../../../src/runtime/log/zap-logger.ts";

const now = (): number => Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function capture(options: ZapOptions = {}) {
  const lines: string[] = [];
  const logger = zapLogger({ now, write: (line) => lines.push(line), ...options });
  return { logger, lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

describe("a zap logger", () => {
  it("writes one JSON object a line, with zap's keys in zap's order", () => {
    const { logger, lines } = capture();
    logger.withName("manager").withName("sub").withValues({ controller: "a" }).info("Starting", { count: 2 });
    expect(lines).toEqual([
      '{"level":"info","ts":"2026-01-02T03:04:05Z","logger":"manager.sub","msg":"Starting","controller":"a","count":2}\n',
    ]);
  });

  it("writes columns in development", () => {
    const { logger, lines } = capture({ development: true });
    logger.withName("setup").info("starting", { a: 1 });
    logger.info("plain");
    expect(lines).toEqual([
      '2026-01-02T03:04:05Z\tINFO\tsetup\tstarting\t{"a": 1}\n',
      "2026-01-02T03:04:05Z\tINFO\tplain\n",
    ]);
  });

  it.each([
    [true, /^\d\d:\d\d:\d\d\.\d{3} INFO {2}started size=1\n$/],
    [false, /^\{"level":"info",.*"msg":"started","size":1\}\n$/],
  ])("writes for reading to a terminal, and JSON to a pipe: %s", (isTTY, expected) => {
    const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
    const written: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    Object.defineProperty(process.stderr, "isTTY", { value: isTTY, configurable: true });
    vi.stubEnv("NO_COLOR", "1");
    zapLogger().info("started", { size: 1 });
    if (before) Object.defineProperty(process.stderr, "isTTY", before);
    else Reflect.deleteProperty(process.stderr, "isTTY");
    write.mockRestore();
    vi.unstubAllEnvs();
    expect(written.join("")).toMatch(expected);
  });

  it("drops and counts lines, rather than fill the memory, while stderr is not read", () => {
    const mega = 1024 * 1024;
    let waiting = 16 * mega;
    const length = vi.spyOn(process.stderr, "writableLength", "get").mockImplementation(() => waiting);
    const written: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    const logger = zapLogger({ now, encoder: "json" });
    logger.info("first");
    waiting = 16 * mega + 1;
    logger.info("lost");
    waiting = 8 * mega + 1;
    logger.info("lost");
    waiting = 8 * mega;
    logger.info("last");
    logger.info("and on");
    write.mockRestore();
    length.mockRestore();
    const said = written.map((line) => JSON.parse(line) as { msg: string; lines?: number });
    expect(said.map(({ msg }) => msg)).toEqual([
      "first",
      "Dropped lines of the log, as nobody read it",
      "last",
      "and on",
    ]);
    expect(said[1]).toMatchObject({ level: "info", ts: "2026-01-02T03:04:05Z", lines: 2 });
  });

  it("writes for reading on request, and a panic once", () => {
    const { logger, lines } = capture({ encoder: "readable" });
    logger.error(undefined, "Observed a panic", { panic: "odd" });
    logger.error(new Error("panic: odd [recovered]"), "Reconciler error");
    expect(lines).toEqual([expect.stringContaining("ERROR Observed a panic panic=odd")]);
  });

  it("writes an error with its causes and its stack", () => {
    const { logger, last } = capture();
    logger.error(new Error("outer", { cause: new Error("inner") }), "It failed", { at: "work" });
    expect(last()).toMatchObject({ level: "error", msg: "It failed", at: "work", error: "outer: inner" });
    expect(last()["stacktrace"]).toContain("zap-logger.test.ts");
  });

  const refused = new Error("no answer", { cause: new Error("refused") });
  it.each<[Error, string]>([
    [new AggregateError([refused, new Error("late")]), "no answer: refused; late"],
    [new AggregateError([refused], "one failed"), "one failed: no answer: refused"],
    [new TerminalError(refused), "terminal error: no answer: refused"],
    [new Error("outer: inner", { cause: new Error("inner") }), "outer: inner"],
    [new Error("outer", { cause: new Error("") }), "outer"],
  ])("writes the parts and causes of %o once", (error, text) => {
    const { logger, last } = capture();
    logger.error(error, "It failed");
    expect(last()).toMatchObject({ error: text });
  });

  it("accepts any thrown value", () => {
    const { logger, last } = capture();
    logger.error("just text", "It failed");
    expect(last()).toMatchObject({ error: "just text" });
    expect(last()).toHaveProperty("stacktrace", expect.stringContaining("zap-logger.test.ts"));
    logger.error(undefined, "Observed a panic", { stacktrace: "where it happened" });
    expect(last()).toMatchObject({ stacktrace: "where it happened" });
  });

  it.each<[ZapOptions["level"], string[]]>([
    ["debug", ["v0", "v1", "error"]],
    ["info", ["v0", "error"]],
    ["error", ["error"]],
    ["panic", []],
    [5, ["v0", "v1", "v5", "error"]],
  ])("at level %s writes %j", (level, expected) => {
    const { logger, lines } = capture({ level, stacktraceLevel: "panic" });
    logger.info("v0");
    logger.debug("v1");
    logger.v(5).info("v5");
    logger.v(6).info("v6");
    logger.error(new Error("no"), "error");
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(expected);
    expect(logger.v(5).enabled).toBe(level === 5);
  });

  it.each<[NonNullable<ZapOptions["timeEncoding"]>, unknown]>([
    ["epoch", now() / 1000],
    ["millis", now()],
    ["nanos", now() * 1e6],
    ["iso8601", "2026-01-02T03:04:05.678Z"],
    ["rfc3339", "2026-01-02T03:04:05Z"],
    ["rfc3339nano", "2026-01-02T03:04:05.678Z"],
  ])("writes times as %s", (timeEncoding, expected) => {
    const { logger, last } = capture({ timeEncoding });
    logger.info("a");
    expect(last()["ts"]).toBe(expected);
  });

  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "n" },
    data: { k: "aGVsbG8=" },
  };
  const named = { namespace: "n", name: "s" };
  const identity = { apiVersion: "v1", kind: "Secret", ...named };
  const { metadata, data } = secret;

  it.each<[string, unknown, unknown]>([
    ["an object", secret, identity],
    ["an object without apiVersion and kind", { metadata, data }, named],
    ["an object without metadata", { apiVersion: "v1", kind: "Secret", data }, { apiVersion: "v1", kind: "Secret" }],
    ["an object with a generated name", { metadata: { generateName: "s-" }, data }, { name: "s-" }],
    [
      "the objects of a list",
      { apiVersion: "v1", kind: "SecretList", metadata: {}, items: [{ metadata, data }] },
      { apiVersion: "v1", kind: "SecretList", items: [named] },
    ],
    ["objects in arrays and sets", [secret, new Set([secret])], [identity, [identity]]],
    ["objects in a map", new Map([["a", secret]]), [["a", identity]]],
    ["an object with toJSON", { ...secret, toJSON: () => ({ data }) }, identity],
    ["a reference", { ...identity, uid: "u" }, identity],
    [
      "an answer of the server but its message",
      failure("Gone", "too old"),
      expect.objectContaining({ message: "too old" }),
    ],
  ])("shortens %s to its identity, whatever else the line contains", (_name, object, expected) => {
    const { logger, lines, last } = capture({ encoder: "json" });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    logger.info("found", { object, size: 3n, circle });
    expect(last()).toMatchObject({ object: expected, size: "3", circle: { self: "[circular]" } });
    const others = (["console", "readable"] as const).map((encoder) => capture({ encoder }));
    for (const { logger: other } of others) other.info("found", { object, size: 3n, circle });
    for (const line of [...lines, ...others.flatMap((each) => each.lines)]) expect(line).not.toContain("aGVsbG8=");
  });

  it("shortens an object that is given as the fields", () => {
    const { logger, last } = capture();
    logger.withValues({ controller: "c" }).info("found", secret);
    expect(last()).toMatchObject({ msg: "found", controller: "c", ...identity });
    logger.info("event", { apiVersion: "v1", kind: "Secret", reason: "Rotated" });
    expect(last()).toMatchObject({ apiVersion: "v1", kind: "Secret", reason: "Rotated" });
  });

  it.each<[string, unknown, unknown]>([
    ["a time", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a number that JSON lacks", Number.NaN, "NaN"],
    ["bytes", new Uint8Array(3), "[3 bytes]"],
    [
      "a getter that throws",
      {
        get odd() {
          throw new Error("no");
        },
        even: 2,
      },
      { odd: "[unreadable]", even: 2 },
    ],
    [
      "a deep nest",
      { a: { b: { c: { d: { e: { f: { g: { h: {} } } } } } } } },
      JSON.parse('{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":"…"}}}}}}}}'),
    ],
    ["a long text", "x".repeat(100_000), expect.stringMatching(/^x{65000,65536}…$/)],
    ["a long list", Array.from({ length: 5_000 }, () => 0), expect.arrayContaining(["…"])],
  ])("writes %s", (_name, value, expected) => {
    const { logger, lines, last } = capture();
    logger.info("x", { value });
    expect(last()["value"]).toEqual(expected);
    expect(lines[0]!.length).toBeLessThan(70_000);
  });

  it("writes an error in a field as its text and, in a field of its own, its stack with name and causes", () => {
    const { logger, last } = capture();
    const error = Object.assign(new RangeError("outer", { cause: new TypeError("inner") }), { object: secret });
    logger.info("tried", { err: error, size: 3n, all: [error] });
    const stack = /^RangeError: outer\n {4}at [^]*zap-logger\.test\.ts[^]*\n\[cause\]: TypeError: inner\n {4}at /;
    expect(last()).toEqual({
      level: "info",
      ts: "2026-01-02T03:04:05Z",
      msg: "tried",
      err: "outer: inner",
      errVerbose: expect.stringMatching(stack) as string,
      size: "3",
      all: [expect.stringMatching(stack) as string],
    });
  });

  it("ends the chain of errors that cause each other", () => {
    const { logger, last } = capture();
    const error = new Error("one");
    error.cause = new Error("two", { cause: error });
    logger.error(error, "failed", { err: error });
    expect(last()["error"]).toBe("one: two: one: two: one: two: one: two");
  });

  describe("samples repeated lines", () => {
    const repeat = (options: ZapOptions): number => {
      const { logger, lines } = capture(options);
      for (let count = 0; count < 1000; count++) logger.withValues({ count }).info("again");
      return lines.length;
    };

    it.each([
      ["in production", {}, 109],
      ["not in development", { development: true }, 1000],
      ["not at a verbose level", { level: 2 }, 1000],
      ["not if it is disabled", { sampling: false }, 1000],
    ])("%s", (_when, options, lines) => {
      expect(repeat(options)).toBe(lines);
    });

    it("by message and level, with a reset every second", () => {
      let time = 0;
      const { logger, lines } = capture({ now: () => time });
      const repeatAll = (): number => {
        const before = lines.length;
        for (let count = 0; count < 150; count++) {
          logger.info("one");
          logger.info("two");
          logger.error("no", "one");
        }
        return lines.length - before;
      };
      expect(repeatAll()).toBe(300);
      time = 999;
      expect(repeatAll()).toBe(6);
      time = 1000;
      expect(repeatAll()).toBe(300);
    });
  });
});
