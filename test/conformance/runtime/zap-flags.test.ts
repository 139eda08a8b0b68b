import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseManagerFlags } from "../../../src/index.ts";
import { buildGoOperator } from "./differential/go-operator.ts";

// The output of controller-runtime's logger with each of the --zap-* flags, compared with ours. Go's side is recorded:
// TSOP_RECORD=1 and Go renew the recording, with lab/record/go-operator/zapflags.
const file = new URL("../recorded/controller-runtime/zap-flags.json", import.meta.url);
const commandLines = [
  "",
  "--zap-devel",
  "--zap-devel=false",
  "--zap-encoder=json",
  "--zap-encoder=JSON",
  "--zap-encoder=console",
  "--zap-log-level=debug",
  "--zap-log-level=info",
  "--zap-log-level=error",
  "--zap-log-level=panic",
  "--zap-log-level=Debug",
  "--zap-log-level=1",
  "--zap-log-level=3",
  "--zap-stacktrace-level=info",
  "--zap-stacktrace-level=error",
  "--zap-stacktrace-level=panic",
  "--zap-time-encoding=epoch",
  "--zap-time-encoding=millis",
  "--zap-time-encoding=nanos",
  "--zap-time-encoding=iso8601",
  "--zap-time-encoding=rfc3339",
  "--zap-time-encoding=RFC3339",
  "--zap-time-encoding=rfc3339nano",
  "--zap-devel --zap-encoder=json --zap-log-level=2",
  "--zap-devel --zap-log-level=error --zap-stacktrace-level=panic",
];
const refused = [
  "--zap-encoder=xml",
  "--zap-log-level=0",
  "--zap-log-level=-1",
  "--zap-log-level=loud",
  "--zap-stacktrace-level=debug",
  "--zap-time-encoding=nano",
  "--zap-devel=maybe",
];
const run = promisify(execFile);

if (process.env["TSOP_RECORD"] === "1") {
  it("records controller-runtime's lines", { timeout: 300_000 }, async () => {
    const go = await buildGoOperator("./zapflags");
    if ("missing" in go) throw new Error(`the Go program can't be built: ${go.missing}`);
    const recorded: Record<string, string[]> = {};
    for (const flags of [...commandLines, ...refused]) {
      const { stderr } = await run(go.binary, flags.split(" ").filter(Boolean), { env: { TZ: "UTC" } }).catch(
        (error: unknown) => ({ stderr: `exit code ${(error as { code: number }).code}` }),
      );
      recorded[flags] = shapes(stderr);
    }
    writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
  });
}

describe("the flags of the logger", () => {
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>;

  afterEach(() => vi.restoreAllMocks());

  it.each(commandLines)("produce the lines of controller-runtime with %s", (flags) => {
    let written = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
    const { logger } = parseManagerFlags(flags.split(" ").filter(Boolean)).managerOptions;
    const log = logger.withName("outer").withName("inner").withValues({ kept: "yes" });
    log.info("at info", { number: 1 });
    log.v(1).info("at one");
    log.v(3).info("at three", { list: ["a"] });
    log.error(new Error("broken"), "with an error", { number: 2 });
    log.error(undefined, "without an error");
    vi.restoreAllMocks();
    expect(shapes(written)).toEqual(recorded[flags]);
  });

  it.each(refused)("reject %s with the exit code of a wrong flag", (flags) => {
    expect(recorded[flags]).toEqual(["exit code 2"]);
    expect(() => parseManagerFlags([flags])).toThrow(expect.objectContaining({ code: "TSOP_FLAG_INVALID" }));
  });
});

/** Returns lines without the values that differ between runs: the digits of the time, and the text of a stack. */
function shapes(text: string): string[] {
  const lines = text.trim().split("\n").filter(Boolean);
  const isLine = (line: string): boolean => /^(\d|\{|exit)/.test(line);
  const withStacks = lines.flatMap((line, index) => {
    if (!isLine(line)) return [];
    return lines[index + 1] !== undefined && !isLine(lines[index + 1]!) ? [line, "<stack>"] : [line];
  });
  return withStacks.map((line) =>
    line
      .replace(/("stacktrace":)"[^"]*"/, '$1"<stack>"')
      .replace(
        /^(\{"level":"[^"]*","ts":)("?)(.*?)\2(?=,"logger")/,
        (_all, start, quote, time) => `${start}${quote}${shape(String(time))}${quote}`,
      ) // prettier-ignore
      .replace(/^\d\S*/, shape),
  );
}

/** Masks the digits of the time: Go's clock has more of them than JavaScript's. */
function shape(time: string): string {
  if (time.startsWith("exit")) return time;
  const coarse = time.replace(/^(\d+)\.\d+$/, "$1").replace(/\.\d+Z$/, ".<fraction>Z");
  return coarse.replace(/\d/g, "0");
}
