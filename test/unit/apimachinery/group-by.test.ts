import { expect, it } from "vitest";
import { groupBy } from "../../../src/apimachinery/group-by.ts";

it("groups items by a key, in their order", () => {
  const groups = groupBy(["ab", "c", "de", "f"], ({ length }) => length);
  expect([...groups]).toEqual([
    [2, ["ab", "de"]],
    [1, ["c", "f"]],
  ]);
});
