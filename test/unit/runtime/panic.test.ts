import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { messageOf } from "../../../src/errors/message-of.ts";
import { zapLogger } from "../../../src/runtime/log/zap-logger.ts";
import { isPanic } from "../../../src/runtime/panic.ts";

// As Node's own errors are to a program in jest.
const ofOtherRealm: unknown = runInNewContext('new Error("refused", { cause: new Error("busy") })');

it.each([
  ["an Error", new Error("e"), false],
  ["an Error of another realm", ofOtherRealm, false],
  ["an aborted signal's reason", AbortSignal.abort().reason, false],
  ["a mistake in the program", new TypeError("e"), true],
  ["a failure of fetch", new TypeError("e", { cause: new Error("refused") }), false],
  ["a value that is no Error", "e", true],
  ["an object like an Error", { name: "Error", message: "e" }, true],
])("decides whether %s is a panic", (_what, error: unknown, expected) => {
  expect(isPanic(error)).toBe(expected);
});

it("formats an Error of another realm like any other", () => {
  const lines: string[] = [];
  zapLogger({ encoder: "json", write: (line) => lines.push(line) }).error(ofOtherRealm, "Failed");
  expect(JSON.parse(lines[0]!)).toMatchObject({
    error: "refused: busy",
    stacktrace: expect.stringMatching(/^Error: refused\n/),
  });
  expect(messageOf(ofOtherRealm)).toBe("refused");
});
