import { validateHeaderValue } from "node:http";
import { expect, it } from "vitest";
import { warningHeader } from "../../../../src/apiserver/representation/respond.ts";

it.each([
  ['unknown field "spec.x"', String.raw`299 - "unknown field \"spec.x\""`],
  [String.raw`a\b`, String.raw`299 - "a\\b"`],
  ["one\r\ntwo\u0000", '299 - "one two "'],
])("writes %j", (text, expected) => {
  expect(warningHeader(text)).toBe(expected);
});

it("can be sent with any text", () => {
  const header = warningHeader('unknown field "日本é\n"');
  expect(() => validateHeaderValue("warning", header)).not.toThrow();
  expect(Buffer.from(header, "latin1").toString()).toContain("日本é");
});
