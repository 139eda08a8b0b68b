import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const bin = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsop-shell-"));
symlinkSync(bin, join(folder, "tsop"));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };

describe("completion in bash", () => {
  // Bash reacts to TAB by calling the function that `complete -F` has named, with these variables set.
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

  it("completes commands, subcommands, flags and values", () => {
    expect(complete("cre")).toEqual(["create"]);
    expect(complete("create", "")).toEqual(["api", "webhook"]);
    expect(complete("create", "api", "--ki")).toEqual(["--kind"]);
    expect(complete("init", "--license", "")).toEqual(["apache2", "none"]);
    expect(complete("init", "--license", "=", "n")).toEqual(["none"]);
  });

  it("leaves file names to bash if tsop has no candidates", () => {
    expect(complete("create", "api", "--kind", "")).toEqual([]);
  });
});

describe.skipIf(!existsSync("/bin/zsh") && !existsSync("/usr/bin/zsh"))(
  "completion in zsh (skipped without zsh)",
  () => {
    // A zsh on its own terminal gets the words and TAB; a key binding then writes the content of its line.
    const script = `out=$1; shift
zmodload zsh/zpty zsh/zselect
zpty -b shell 'zsh -f -i'
zpty -w shell "autoload -U compinit; compinit -u -D; eval \\"\\$(tsop completion zsh)\\"; bindkey '^I' complete-word
show() { print -r -- \\"\\$BUFFER\\" >> $out; BUFFER=; zle accept-line }; zle -N show; bindkey '^Xs' show
print -r -- ready >> $out"
integer lines=0
for words in '' "$@"; do
  (( lines++ )) && zpty -w -n shell "$words"$'\\t\\x18s'
  while (( $(wc -l < $out) < lines )); do zpty -rt shell line; zselect -t 5; done
done
zpty -d shell`;

    it("completes the line on TAB", () => {
      const out = join(folder, "zsh-lines");
      writeFileSync(out, "");
      const lines = ["tsop cre", "tsop create a", "tsop create api --ki", "tsop init --license n"];
      execFileSync("zsh", ["-f", "-c", script, "zsh", out, ...lines], { env, stdio: "ignore", timeout: 150_000 });
      expect(
        readFileSync(out, "utf8")
          .split("\n")
          .map((line) => line.trimEnd()),
      ).toEqual(["ready", "tsop create", "tsop create api", "tsop create api --kind", "tsop init --license none", ""]);
    });
  },
);

describe.skipIf(!existsSync("/usr/bin/script"))("questions on a terminal (skipped without script(1))", () => {
  const project = mkdtempSync(join(tmpdir(), "tsop-questions-"));
  afterAll(() => rmSync(project, { recursive: true }));
  beforeAll(() => {
    const init = ["init", "--domain", "example.com", "--project-name", "demo", "--skip-install", "--tsop", "^1"];
    execFileSync(process.execPath, [bin, ...init], { cwd: project, stdio: "ignore" });
  });

  /** Types a key once the question appears, and returns the output of the terminal. */
  const answer = async (key: string): Promise<string> => {
    const command = "tsop create api --group cache --kind Memcached --make=false; echo code $?";
    const terminal = spawn("script", ["-qec", command, "/dev/null"], { cwd: project, env });
    let text = "";
    for await (const chunk of terminal.stdout.setEncoding("utf8")) {
      const isAsked = text.includes("(Y/n)");
      text += String(chunk);
      if (!isAsked && text.includes("(Y/n)")) terminal.stdin.write(key);
    }
    return text;
  };

  it("end with the flag to use if there is no answer", async () => {
    const text = await answer("\u0004");
    expect(text).toContain("TSOP_NO_ANSWER");
    expect(text).toContain("hint: answer it, or give --resource");
    expect(text).toContain("code 1\r\n");
  });

  it("end on Ctrl-C like any command", async () => {
    const text = await answer("\u0003");
    // The sequence shows the cursor again.
    expect(text.replace("\u001b[?25h", "")).toMatch(/\r\ninterrupted\r\ncode 130\r\n$/);
    expect(text).not.toContain("error:");
    expect(existsSync(join(project, "api"))).toBe(false);
  });
});
