import { describe, expect, it } from "vitest";
import { compileRe2 } from "../../../../src/apimachinery/re2.ts";
import { matchesPattern } from "../../../../src/apimachinery/schema/pattern.ts";
import { waysToMatch } from "../../../../src/apimachinery/schema/ways-to-match.ts";

describe("matchesPattern", () => {
  it.each([
    ["(?i)^abc$", "ABC", true],
    ["(?s)^a.c$", "a\nc", true],
    ["^a.c$", "a\rc", true],
    ["^a.c$", "a\u2028c", true],
    ["^\\s$", "\u00a0", false],
    ["^\\s$", "\v", false],
    ["^\\pL+$", "é", true],
    ["^[[:alpha:]]+$", "abc", true],
    ["^a\\z", "a", true],
    ["(?m)^b$", "a\nb", true],
    ["^.$", "😀", true],
    ["^[^a]$", "\n", true],
    ["^\\Q.\\E$", ".", true],
  ])("interprets %s as RE2 does for %j", (pattern, text, matches) => {
    expect(matchesPattern(pattern, text)).toBe(matches);
  });

  it.each([
    ["^(a+)+$", "a"],
    ["^([a-z0-9]+(-[a-z0-9]+)*)+$", "a"],
    ["^(a|a)*$", "a"],
    ["^(a|aa)+$", "a"],
    ["a?".repeat(30) + "a".repeat(30) + "$", "a"],
    ["(?:a?){30}a{30}$", "a"],
    ["^a*a*a*a*a*a*$", "a"],
    ["a*b", "a"],
    ["(.*)(.*)(.*)(.*)(.*)x", "a"],
  ])(
    "matches %s in linear time",
    (pattern, letter) => {
      expect(compileRe2(pattern).matcher("").find()).toBe(matchesPattern(pattern, ""));
      for (const length of [30, 200, 20_000]) expect(matchesPattern(pattern, `${letter.repeat(length)}!`)).toBe(false);
    },
    10_000,
  );

  it("agrees with RE2 for random patterns and texts", () => {
    let state = 7;
    const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
    const pieces = "a b - ^ $ . * + ? | ( ) (?: [ab] [^a] [a-z] \\d \\w \\s \\. {2} {1,2} {2,} *? (?i) \\b".split(" ");
    const letters = ["a", "b", "-", ".", "1", "B", " ", "\n", "\r", "é", "\u2028"];
    const make = (from: readonly string[], most: number): string =>
      Array.from({ length: random(most + 1) }, () => from[random(from.length)]).join("");
    let compared = 0;
    for (let round = 0; round < 20_000; round++) {
      const [pattern, text] = [make(pieces, 6), make(letters, 5)];
      let expected: boolean;
      try {
        expected = compileRe2(pattern).matcher(text).find();
      } catch {
        continue;
      }
      compared++;
      expect(matchesPattern(pattern, text), JSON.stringify({ pattern, text })).toBe(expected);
    }
    expect(compared).toBeGreaterThan(5_000);
  });
});

describe("waysToMatch", () => {
  it.each([
    ["^abc$", 10, 1],
    ["^a*$", 10, 11],
    ["^a+b?$", 10, 22],
    ["^[a-z]{1,3}$", 10, 3],
    ["a", 10, 11],
    ["^(a|b)$", 10, 22],
    ["^(a{2})*$", 10, 11],
    ["^(\\d+\\.)?x$", 10, 12],
  ])("counts %s", (pattern, length, ways) => {
    expect(waysToMatch(pattern)?.(length)).toBe(ways);
  });

  it.each(["(a+)+", "(a|b)*", "(a?){2}", "((a*)b)+"])("counts none for %s", (pattern) => {
    expect(waysToMatch(pattern)).toBeUndefined();
  });
});
