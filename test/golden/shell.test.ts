import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const bin = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsop-shell-"));
symlinkSync(bin, join(folder, "tsop"));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };

describe("completion in bash", () => {
  // What bash does on TAB: it calls the function that `complete -F` has named, with these variables set.
  const complete = (...words: string[]): string[] => {
    const quoted = ["tsop", ...words].map((word) => `'${word}'`).join(" ");
    const script = `eval "$(tsop completion bash)"; complete -p tsop >&2
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}
_tsop; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync("bash", ["--norc", "-c", script], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return text.split("\n").filter(Boolean);
  };

  it("offers commands, subcommands, flags and values", () => {
    expect(complete("cre")).toEqual(["create"]);
    expect(complete("create", "")).toEqual(["api", "webhook"]);
    expect(complete("create", "api", "--ki")).toEqual(["--kind"]);
    expect(complete("init", "--license", "")).toEqual(["apache2", "none"]);
    expect(complete("init", "--license", "=", "n")).toEqual(["none"]);
  });

  it("leaves files to bash where tsop has nothing to offer", () => {
    expect(complete("create", "api", "--kind", "")).toEqual([]);
  });
});

describe.skipIf(!existsSync("/bin/zsh") && !existsSync("/usr/bin/zsh"))(
  "completion in zsh (skipped without zsh)",
  () => {
    it("is a script that zsh accepts and registers", () => {
      const script = 'autoload -U compinit; compinit -u -D; eval "$(tsop completion zsh)"; print -- $_comps[tsop]';
      expect(execFileSync("zsh", ["-f", "-c", script], { env, encoding: "utf8" }).trim()).toBe("_tsop");
    });
  },
);
