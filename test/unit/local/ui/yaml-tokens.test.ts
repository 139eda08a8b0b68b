import { expect, it } from "vitest";
import { tokenizeLine } from "../../../../src/local/ui/parts/yaml-tokens.ts";

it.each([
  ["kind: Pod", ["key kind", "mark :", "text  ", "text Pod"]],
  ["  replicas: 3", ["text   ", "key replicas", "mark :", "text  ", "number 3"]],
  ["- name: a", ["mark - ", "key name", "mark :", "text  ", "text a"]],
  ["- - x", ["mark - - ", "text x"]],
  ["paused: true # why", ["key paused", "mark :", "text  ", "word true", "comment  # why"]],
  ["# all", ["comment # all"]],
  ['"a: b": "c # d"', ['key "a: b"', "mark :", "text  ", 'text "c # d"']],
  ["url: http://x#y", ["key url", "mark :", "text  ", "text http://x#y"]],
  ["empty: {}", ["key empty", "mark :", "text  ", "word {}"]],
  ["", []],
])("colours %j", (line, tokens) => {
  expect(tokenizeLine(line).map(({ type, text }) => `${type} ${text}`)).toEqual(tokens);
});

it("loses no character, whatever the line", () => {
  for (const line of [
    "<img src=x onerror=alert(1)>",
    "a:b",
    ": x",
    '"unclosed',
    "- ",
    "key:   |-",
    "a: 'b''c' #",
    "\t- x: #",
  ])
    expect(
      tokenizeLine(line)
        .map(({ text }) => text)
        .join(""),
    ).toBe(line);
});
