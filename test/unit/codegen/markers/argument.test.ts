import { describe, expect, it } from "vitest";
import {
  any,
  anyElement,
  bool,
  int,
  list,
  number,
  parseArgument,
  text,
} from "../../../../src/codegen/markers/argument.ts";
import { named, optional, required, value } from "../../../../src/codegen/markers/marker.ts";
import { MarkerSyntaxError } from "../../../../src/codegen/markers/scanner.ts";

describe("parseArgument", () => {
  it.each([
    [int, "5", 5],
    [int, " - 5 ", -5],
    [number, "1.5", 1.5],
    [number, "-.5", -0.5],
    [number, "1e3", 1000],
    [bool, "true", true],
    [text, '"a \\"b\\" \\n \\u00e9 \\x41 \\101"', 'a "b" \n é A A'],
    [text, '`raw \\n "text"`', 'raw \\n "text"'],
    [text, "bare text, with ; and }", "bare text, with ; and }"],
    [text, "it's", "it's"],
    [list(text), "a;b c;d", ["a", "b c", "d"]],
    [list(text), "{a,b}", ["a", "b"]],
    [list(text), "{}", []],
    [
      list(list(int)),
      "{{1,1},{2,3}}",
      [
        [1, 1],
        [2, 3],
      ],
    ],
    [list(anyElement), '1;2;"foo";true', [1, 2, "foo", true]],
    [any, "5", 5],
    [any, "-5", -5],
    [any, "0x1F", 31],
    [any, "017", 15],
    [any, "087", "087"],
    [any, "1.50", 1.5],
    [any, "100Mi", "100Mi"],
    [any, "2024-01-15", "2024-01-15"],
    [any, "1.2.3", "1.2.3"],
    [any, "true", true],
    [any, "truely", "truely"],
    [any, '""', ""],
    [any, "a;b", ["a", "b"]],
    [any, "{1,2}", [1, 2]],
    [any, "{}", {}],
    [any, '{a: 1, "b c": {d: [}}', { a: 1, "b c": { d: "[" } }],
    [any, "{n: -1, m: {x, y}}", { n: -1, m: ["x", "y"] }],
    [any, "{{a: 1}, {b: 2}}", [{ a: 1 }, { b: 2 }]],
    [any, "{http://x}", { http: "//x" }],
    [any, "{size: 512Mi, cpu: 1.5}", { size: "512Mi", cpu: 1.5 }],
  ])("reads %o from %s", (type, source, expected) => {
    expect(parseArgument(value<unknown>(type), source)).toEqual(expected);
  });

  it.each([
    [int, "", 0],
    [int, "5x", 0],
    [int, "5 6", 2],
    [bool, "True", 0],
    [text, "", 0],
    [text, '"open', 0],
    [text, '"bad \\q"', 6],
    [list(text), "{a,b", 4],
    [any, '{1,"a"}', 3],
    [any, "{a: }", 4],
    [any, 'say "hi', 0],
  ])("rejects %o from %s at column %i", (type, source, offset) => {
    const parse = () => parseArgument(value<unknown>(type), source);
    expect(parse).toThrow(MarkerSyntaxError);
    try {
      parse();
    } catch (error) {
      expect((error as MarkerSyntaxError).offset).toBe(offset);
    }
  });

  it("reads named arguments in any order, with = or :=", () => {
    const argument = named({ a: required(text, "a"), b: optional(list(int), "b"), c: optional(bool, "c") });
    expect(parseArgument(argument, 'c=true,b:={1,2},a="x,y"')).toEqual({ a: "x,y", b: [1, 2], c: true });
    expect(() => parseArgument(argument, "b=1")).toThrow("missing argument a");
    expect(() => parseArgument(argument, "a=1,d=2")).toThrow('unknown argument "d"');
    expect(() => parseArgument(argument, "a=1 b=2,c=maybe")).toThrow("expected true or false");
  });

  it("fails only with its own error, and always ends, for random text", () => {
    const argument = named({ a: required(any, "a"), b: optional(list(list(text)), "b") });
    let state = 1;
    const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
    const pieces = [
      "{",
      "}",
      ",",
      ";",
      ":",
      "=",
      '"',
      "`",
      "\\",
      "a",
      "b=",
      "1",
      "-",
      ".5",
      " ",
      "true",
      "é",
      "{{",
      "}}",
    ];
    for (let round = 0; round < 5000; round++) {
      const source = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
      for (const attempt of [() => parseArgument(value(any), source), () => parseArgument(argument, source)]) {
        try {
          attempt();
        } catch (error) {
          expect(error).toBeInstanceOf(MarkerSyntaxError);
          const { offset } = error as MarkerSyntaxError;
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(source.length);
        }
      }
    }
  });
});
