import { expect, it } from "vitest";
import { keepLineEnds } from "../../../src/files/line-ends.ts";

const addLine = (text: string): string => text.replace("b\n", "b\nnew\n");

it.each([
  ["", ""],
  ["a\nb\n", "a\nb\nnew\n"],
  ["a\r\nb\r\n", "a\r\nb\r\nnew\r\n"],
  ["a\r\nb\r\nc", "a\r\nb\r\nnew\r\nc"],
  ["a\nb\r\nc\nd\n", "a\nb\nnew\nc\nd\n"],
  ["a\nb\r\nc\r\n", "a\r\nb\r\nnew\r\nc\r\n"],
  ["a\nc\r\nd\r\n", "a\nc\r\nd\r\n"],
])("keeps the line ends of most lines: %j", (text, edited) => {
  expect(keepLineEnds(text, addLine)).toBe(edited);
});
