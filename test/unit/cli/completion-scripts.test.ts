import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { completionScripts } from "../../../src/cli/completion/completion-scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "it's here \\'; exit 3; \\"));

it("asks the program that printed the script, whatever its path", () => {
  const program = join(folder, "tsop.js");
  writeFileSync(program, '#!/bin/sh\necho "$3"\n', { mode: 0o755 });
  const script = `${completionScripts.bash(program)}COMP_WORDS=(tsop cre); COMP_CWORD=1; _tsop; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" })).toBe("cre\n");
  expect(completionScripts.fish("/it's \\ here")).toContain(String.raw`'/it\'s \\ here' __complete`);
  rmSync(folder, { recursive: true });
});
