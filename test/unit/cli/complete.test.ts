import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";
import { completionScripts } from "../../../src/cli/completion/completion-scripts.ts";

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

const folder = mkdtempSync(join(tmpdir(), "it's here \\'; exit 3; \\"));

it("asks the program that printed the script, whatever its path", () => {
  const program = join(folder, "tsop.js");
  writeFileSync(program, '#!/bin/sh\necho "$3"\n', { mode: 0o755 });
  const script = `${completionScripts.bash(program)}COMP_WORDS=(tsop cre); COMP_CWORD=1; _tsop; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" })).toBe("cre\n");
  expect(completionScripts.fish("/it's \\ here")).toContain(String.raw`'/it\'s \\ here' __complete`);
  rmSync(folder, { recursive: true });
});
