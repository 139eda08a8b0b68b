import { describe, expect, it } from "vitest";
import { compileRe2 } from "../../../../src/apimachinery/re2.ts";
import { isPlainPattern } from "../../../../src/apimachinery/schema/plain-pattern.ts";

describe("isPlainPattern", () => {
  it.each(["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "(true|false|unknown)", "^\\d{1,3}\\.x$", "é+", ""])(
    "accepts %s",
    (pattern) => {
      expect(isPlainPattern(pattern)).toBe(true);
    },
  );

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<!a)",
    "(?<n>a)\\k<n>",
    "(a)\\1",
    "(?i)a",
    "a{9}{9}",
    "[]",
    "[^]",
    "\\p{L}",
    "(",
    "a{1001}",
    "\\cA",
  ])("leaves %s to RE2", (pattern) => {
    expect(isPlainPattern(pattern)).toBe(false);
  });

  it("accepts no pattern that RE2 rejects", () => {
    let state = 42;
    const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
    const pieces =
      "a b - ^ $ . * + ? | ( ) (?: (?= [ ] [^ ] [a-z] [z-a] \\d \\w \\. \\- \\/ \\b {2} {2,} {,2} {999} {9,1} é \\u0041 [[:alpha:]]".split(
        " ",
      );
    let taken = 0;
    for (let round = 0; round < 20_000; round++) {
      const pattern = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join("");
      if (!isPlainPattern(pattern)) continue;
      taken++;
      expect(() => compileRe2(pattern), pattern).not.toThrow();
    }
    expect(taken).toBeGreaterThan(1000);
  });
});
