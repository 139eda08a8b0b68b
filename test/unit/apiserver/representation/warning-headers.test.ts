import { validateHeaderValue } from "node:http";
import { expect, it } from "vitest";
import { warningHeaders } from "../../../../src/apiserver/representation/respond.ts";

it.each([
  ['unknown field "spec.x"', String.raw`299 - "unknown field \"spec.x\""`],
  [String.raw`a\b`, String.raw`299 - "a\\b"`],
  ["one\r\ntwo\u0000", '299 - "one two "'],
])("writes %j", (text, expected) => {
  expect(warningHeaders([text])).toEqual([expected]);
});

it("can be sent with any text", () => {
  const [header = ""] = warningHeaders(['unknown field "日本é\n"']);
  expect(() => validateHeaderValue("warning", header)).not.toThrow();
  expect(Buffer.from(header, "latin1").toString()).toContain("日本é");
});

it("limits all warnings together to about 4,096 characters", () => {
  const warnings = Array.from({ length: 1_000 }, (_, index) => `warning ${String(index).padStart(12, "0")}`);
  expect(warningHeaders(warnings).length).toBe(Math.ceil(4_096 / 20));
});
