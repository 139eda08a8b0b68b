import { expect, it } from "vitest";
import { cloneJson } from "../../../src/apimachinery/clone.ts";
import { freezeJson } from "../../../src/apimachinery/freeze.ts";

/** The most that a server takes; the stack ends before. */
const levels = 9_990;
const deep = (): unknown => JSON.parse('{"b":0,"a":['.repeat(levels / 2) + "1" + "]}".repeat(levels / 2));
const below = (value: any): unknown => value.a?.[0];

it("copies objects of any depth, with the order of their fields", () => {
  const before = deep();
  const after = cloneJson(before);
  let [one, other] = [before, after];
  for (let level = 0; level < levels / 2; level++) {
    expect(Object.keys(other as object)).toEqual(["b", "a"]);
    if (one === other) throw new Error(`level ${level} is not copied`);
    [one, other] = [below(one), below(other)];
  }
  expect(other).toBe(1);
});

it("freezes objects of any depth", () => {
  let value: unknown = freezeJson(deep());
  for (let level = 0; level < levels / 2; level++) {
    if (!Object.isFrozen(value)) throw new Error(`level ${level} is not frozen`);
    value = below(value);
  }
});
