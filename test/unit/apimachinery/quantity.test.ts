import { describe, expect, it } from "vitest";
import {
  addQuantities,
  canonicalAmount,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  isQuantity,
  parseQuantity,
  QuantityError,
  quantityProblem,
  quantityToInteger,
  quantityToNumber,
  subtractQuantities,
} from "../../../src/apimachinery/quantity.ts";

it.each([
  [2, "2"],
  [0.5, "500m"],
])("reads the number %d as %s", (number, text) => {
  expect(formatQuantity(parseQuantity(number))).toBe(text);
});

describe("formatQuantity", () => {
  it.each([
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.5", "500m"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1023Ki", "1023Ki"],
    ["0.5Ki", "512"],
    ["1000Ki", "1000Ki"],
    ["12e6", "12e6"],
    ["1e0", "1"],
    ["1000k", "1M"],
    ["-2000", "-2k"],
    ["0Gi", "0"],
    ["1n", "1n"],
    ["0.1n", "1n"],
    ["+1", "1"],
    [".5", "500m"],
  ])("formats %s as %s", (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });
});

// Recorded from the CSV that operator-sdk writes for a Deployment with these limits.
describe("canonicalQuantity", () => {
  it.each([
    ["1.125", "1.125"],
    ["0.125", "125m"],
    ["1.125k", "1.125k"],
    ["01Mi", "01Mi"],
    ["+1Mi", "+1Mi"],
    ["8Mi", "8Mi"],
    ["1024Ki", "1Mi"],
    ["1.000", "1"],
    ["1.100", "1.100"],
    ["12000", "12k"],
    ["-1.5", "-1500m"],
    ["1500.500m", "1500.500m"],
    ["1E", "1E"],
    ["1E3", "1E3"],
    ["1e+21", "1e+21"],
    ["5.", "5."],
    ["0.001Ki", "1024m"],
    ["0.1Gi", "107374182400m"],
    ["10000000Pi", "9223372036854775807"],
    ["9223372036854775807", "9223372036854775807"],
    ["1.2345678901234567", "1234567891n"],
    ["100000000000000000000", "100E"],
  ])("writes %s as %s", (text, written) => {
    expect(canonicalQuantity(text)).toBe(written);
  });
});

// Recorded from a quota of a real server.
describe("canonicalAmount", () => {
  it.each([
    ["0.7501", "751m"],
    ["0.0000001", "1m"],
    ["1500.500m", "1501m"],
    ["1.125", "1.125"],
    ["0.1Gi", "107374182400m"],
    ["1.2345678901234567", "1235m"],
  ])("writes %s as %s", (text, written) => {
    expect(canonicalAmount(text)).toBe(written);
  });
});

describe("parseQuantity", () => {
  it.each(["", "x", "1Zi", "1 Gi", "--1", "1.2.3", "1ki", "e3"])("rejects %j", (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  });
});

describe("the digits of a quantity", () => {
  const nines = "9".repeat(128);

  it.each([`${nines}9`, `0.${nines}`, "1e128", `${nines}k`, `-${nines}`])("are limited in an object: %s", (text) => {
    expect(quantityProblem(text)).toBe("quantities may have at most 128 digits");
    expect(isQuantity(text)).toBe(false);
  });

  it.each([nines, "1e127", "9".repeat(125) + "k", "1Gi"])("may be 128 in an object: %s", (text) => {
    expect(quantityProblem(text)).toBeUndefined();
    expect(isQuantity(canonicalAmount(text))).toBe(true);
  });

  it("are more for sums of quantities", () => {
    const sum = addQuantities(parseQuantity(nines), parseQuantity(nines));
    expect(formatQuantity(sum)).toHaveLength(129);
    expect(formatQuantity(parseQuantity(formatQuantity(sum)))).toBe(formatQuantity(sum));
    expect(() => parseQuantity("1".repeat(257))).toThrow("quantities may have at most 256 digits");
    expect(() => parseQuantity("1e256")).toThrow("quantities may have at most 256 digits");
  });
});

describe("arithmetic", () => {
  const [small, large] = [parseQuantity("1Gi"), parseQuantity("1.5G")];

  it("compares across styles", () => {
    expect(compareQuantities(small, large)).toBe(-1);
    expect(compareQuantities(parseQuantity("1"), parseQuantity("1000m"))).toBe(0);
  });

  it("adds and subtracts in the style of the first", () => {
    expect(formatQuantity(addQuantities(small, parseQuantity("1Gi")))).toBe("2Gi");
    expect(formatQuantity(subtractQuantities(parseQuantity("1"), parseQuantity("250m")))).toBe("750m");
  });

  it.each<[string, number, string]>([
    ["256Mi", 4, "1Gi"],
    ["100m", 2.5, "250m"],
    ["1", 1 / 3, "333333333n"],
    ["-1n", 1.5, "-2n"],
  ])("multiplies %s by %d", (text, times, expected) => {
    expect(formatQuantity(multiplyQuantity(parseQuantity(text), times))).toBe(expected);
  });

  it("distinguishes whole numbers from fractions", () => {
    expect(quantityToInteger(parseQuantity("1Ki"))).toBe(1024n);
    expect(quantityToInteger(parseQuantity("100m"))).toBeUndefined();
    expect(quantityToNumber(parseQuantity("100m"))).toBe(0.1);
  });
});
