import { describe, expect, it } from "vitest";
import { hasRepeatedKeys } from "../../../../src/apiserver/codec/json.ts";
import { findDuplicates } from "../../../../src/apiserver/codec/json.ts";
import { randomFrom } from "../random-from.ts";

describe("hasRepeatedKeys", () => {
  it.each([
    ['{"a":1,"a":2}', true],
    ['{"a":{"b":1,"b":1}}', true],
    ['[{"a":1,"\\u0061":1}]', true],
    ['{"__proto__":1,"__proto__":2}', true],
    ['{"__proto__":{"a":1}}', false],
    ['{"a:b":"c:\\"d:e\\\\","f":[":",":\\\\"]}', false],
    ["{}", false],
    ["null", false],
    [' { "a" : 1 } ', false],
  ])("%s: %s", (text, expected) => {
    expect(hasRepeatedKeys(text, JSON.parse(text))).toBe(expected);
  });

  it("agrees with a scan of any text", () => {
    const random = randomFrom(7);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const keys = ["", "a", ":", '"', '\\":', "b", "ü:", "\n"];
    // Not a key: after one that is a backslash alone, JSON.parse of Node 24 takes other escaped keys for it (nodejs/node
    // issue 63785). No key of Kubernetes is one.
    const backslash = "\\";
    const string = (): string => JSON.stringify(pick([...keys, backslash]));
    const key = (): string => JSON.stringify(pick(keys));
    const value = (depth: number): string => {
      const kind = depth > 3 ? "scalar" : pick(["object", "object", "array", "scalar"]);
      const many = Array.from({ length: Math.floor(random() * 4) });
      if (kind === "object") return `{${many.map(() => `${key()} :${value(depth + 1)}`).join(",")}}`;
      if (kind === "array") return `[${many.map(() => value(depth + 1)).join(", ")}]`;
      return pick([string(), "1", "-2.5e3", "true", "null"]);
    };
    let repeated = 0;
    for (let i = 0; i < 2_000; i++) {
      const text = value(0);
      const found = findDuplicates(text).length > 0;
      expect(hasRepeatedKeys(text, JSON.parse(text)), text).toBe(found);
      if (found) repeated++;
    }
    expect(repeated).toBeGreaterThan(100);
  });
});
