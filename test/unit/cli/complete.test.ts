import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";

describe("tsop __complete", () => {
  it.each([
    [["ver"], ["version"]],
    [["cre"], ["create"]],
    [
      ["create", ""],
      ["api", "webhook"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish", "powershell"],
    ],
    [["version", "--o"], ["--output"]],
    [
      ["version", "--output", ""],
      ["text", "json"],
    ],
    [["version", "--output", "=", "j"], ["json"]],
    [["__comp"], []],
  ])("offers after %j: %j", async (words, expected) => {
    const io = memoryIo();
    expect(await main(["__complete", "--", ...words], io)).toBe(0);
    const offered = io.out().split("\n").filter(Boolean);
    expect(offered.map((line) => line.split("\t")[0])).toEqual(expected);
  });
});
