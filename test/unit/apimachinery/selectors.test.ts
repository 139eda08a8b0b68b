import { describe, expect, it } from "vitest";
import {
  formatLabelSelector,
  labelSelectorMatcher,
  matchesLabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "../../../src/apimachinery/selectors.ts";

describe("label selectors", () => {
  const labels = { app: "web", tier: "a", size: "5", "example.com/x": "" };

  it.each([
    ["", true],
    ["app=web", true],
    ["app==web", true],
    ["app!=web", false],
    ["missing!=web", true],
    ["app in (web, db)", true],
    ["app notin (web)", false],
    ["missing notin (web)", true],
    ["app", true],
    ["!app", false],
    ["!missing", true],
    ["size>4", true],
    ["size<5", false],
    ["app=web,tier=b", false],
    ["example.com/x=", true],
  ])("matches %j: %j", (text, matches) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(matches);
  });

  it.each(["app=,,", "in (a)", "app in a", "app=web tier", "a b", "size>x", "-x=1", "app=w@b"])(
    "rejects %j",
    (text) => {
      expect(() => parseLabelSelector(text)).toThrow(SelectorError);
    },
  );

  it.each([
    [{}, undefined, true],
    [{ matchLabels: { app: "web" } }, labels, true],
    [{ matchLabels: { app: "db" } }, labels, false],
    [{ matchLabels: { app: "web" } }, undefined, false],
    [{ matchExpressions: [{ key: "tier", operator: "In" as const, values: ["a", "b"] }] }, labels, true],
    [{ matchExpressions: [{ key: "tier", operator: "DoesNotExist" as const }] }, labels, false],
  ])("selects by %j the labels %j: %j", (selector, labels, matches) => {
    expect(matchesLabelSelector(selector, labels)).toBe(matches);
  });

  it.each(["constructor", "in", ""])("rejects the operator %j", (operator) => {
    const selector = { matchExpressions: [{ key: "tier", operator }] };
    expect(() => matchesLabelSelector(selector)).toThrow(`"${operator}" is not a valid label selector operator`);
  });

  it("parses LabelSelector objects", () => {
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "In" as const, values: ["b", "a"] }],
    };
    expect(formatLabelSelector(selector)).toBe("app=web,tier in (a,b)");
    expect(labelSelectorMatcher(selector).matches(labels)).toBe(true);
    expect(labelSelectorMatcher({}).matches({})).toBe(true);
  });
});

describe("field selectors", () => {
  it("parses terms with escapes", () => {
    expect(parseFieldSelector("metadata.name=a,status.phase!=Running,x==a\\,b")).toEqual([
      { field: "metadata.name", operator: "=", value: "a" },
      { field: "status.phase", operator: "!=", value: "Running" },
      { field: "x", operator: "=", value: "a,b" },
    ]);
  });

  it("rejects an invalid term", () => {
    expect(() => parseFieldSelector("metadata.name")).toThrow(
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    );
  });
});
