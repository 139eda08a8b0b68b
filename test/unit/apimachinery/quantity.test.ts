import { describe, expect, it } from "vitest";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityToInteger,
  quantityToNumber,
  subtractQuantities,
} from "../../../src/apimachinery/quantity.ts";

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

describe("parseQuantity", () => {
  it.each(["", "x", "1Zi", "1 Gi", "--1", "1.2.3", "1ki", "e3"])("rejects %j", (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
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

  it("distinguishes whole numbers from fractions", () => {
    expect(quantityToInteger(parseQuantity("1Ki"))).toBe(1024n);
    expect(quantityToInteger(parseQuantity("100m"))).toBeUndefined();
    expect(quantityToNumber(parseQuantity("100m"))).toBe(0.1);
  });
});
