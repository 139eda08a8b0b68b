import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../src/apiserver/codec/json.ts";
import { endOfString, measureJson } from "../../../../src/apiserver/codec/json.ts";

describe("measureJson", () => {
  it.each([
    ["1", 0, 1, 0],
    ["{}", 1, 2, 0],
    ["[]", 1, 2, 0],
    ["[1,2,3]", 1, 4, 0],
    ['{"a":1,"b":[2,3]}', 2, 5, 2],
    ['["[{,", "\\"[,", "\\\\", 1]', 1, 5, 0],
    ['"[,{:', 0, 1, 0],
    ["]]][[", 0, 3, 0],
  ])("%s has %d levels, %d values and %d members", (text, depth, values, members) => {
    expect(measureJson(text)).toEqual({ depth, values, members });
  });
});

describe("endOfString", () => {
  it.each([
    ['"a" ', 2],
    ['"a\\"b"', 5],
    ['"a\\\\"b"', 4],
    ['"a', 2],
    ['"a\\"', 4],
  ])("of %s is %d", (text, end) => {
    expect(endOfString(text, 0)).toBe(end);
  });
});

describe("parseJson", () => {
  it("refuses more than 250,000 values, and accepts as many", () => {
    const list = (count: number): string => `[${Array(count).fill("1").join()}]`;
    expect(parseJson(list(249_999))).toHaveLength(249_999);
    expect(() => parseJson(list(250_000))).toThrow("it has 250001 values, the limit is 250000");
  });

  it("refuses numbers beyond those of a float64, but not in texts", () => {
    expect(parseJson('{"a":"1e999","b":1e308}')).toEqual({ a: "1e999", b: 1e308 });
    expect(() => parseJson('{"a":"\\"","b":[-12.5e999]}')).toThrow("json: cannot unmarshal number -12.5e999");
  });
});
