import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";

const bin = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const folder = temporaryFolder();
symlinkSync(bin, join(folder, "tsop"));
// A foreign checkout with its own tsop, which must not run, and a folder in it.
const project = join(folder, "project");
for (const path of ["api", "node_modules/.bin"]) mkdirSync(join(project, path), { recursive: true });
const ran = join(folder, "ran");
writeFileSync(join(project, "node_modules/.bin/tsop"), `#!/bin/sh\ntouch '${ran}'\necho evil\n`, { mode: 0o755 });
afterEach(() => expect(existsSync(ran)).toBe(false));
const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };

describe("completion in bash", () => {
  // Bash reacts to TAB by calling the function that `complete -F` has named, with these variables set.
  const complete = (...words: string[]): string[] => completeLine("tsop", ...words);
  const completeLine = (...line: string[]): string[] => {
    const words = line.slice(1);
    const quoted = line.map((word) => `'${word}'`).join(" ");
    const script = `eval "$(tsop completion bash)"; complete -p '${basename(line[0])}' >&2
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}
_tsop; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync("bash", ["--norc", "-c", script], {
      env,
      cwd: join(project, "api"),
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

  it.each([["npx"], ["npx", "--no-install"], ["pnpm", "exec"], ["yarn"]])("completes after %s", (...start) => {
    expect(completeLine(...start, "tsop", "create", "")).toEqual(["api", "webhook"]);
    expect(completeLine(...start, "tsop", "cre")).toEqual(["create"]);
    expect(completeLine(...start, "other", "cre")).toEqual([]);
  });

  it("asks the tsop that printed the script, if another one was typed", () => {
    expect(completeLine("../node_modules/.bin/tsop", "cre")).toEqual(["create"]);
  });

  it("keeps another completion of npx", () => {
    const script = `complete -W mine npx; eval "$(tsop completion bash)"; complete -p npx`;
    const kept = execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" });
    expect(kept).toBe("complete -W 'mine' npx\n");
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
      const lines = [
        "tsop cre",
        "tsop create a",
        "tsop create api --ki",
        "tsop init --license n",
        "npx --no-install tsop create a",
        "pnpm exec tsop cre",
      ];
      const options = { env, cwd: join(project, "api"), stdio: "ignore", timeout: 150_000 } as const;
      execFileSync("zsh", ["-f", "-c", script, "zsh", out, ...lines], options);
      expect(
        readFileSync(out, "utf8")
          .split("\n")
          .map((line) => line.trimEnd()),
      ).toEqual([
        "ready",
        "tsop create",
        "tsop create api",
        "tsop create api --kind",
        "tsop init --license none",
        "npx --no-install tsop create api",
        "pnpm exec tsop create",
        "",
      ]);
    });
  },
);

describe.skipIf(!existsSync("/usr/bin/fish"))("completion in fish (skipped without fish)", () => {
  it.each([
    ["tsop create ", ["api", "webhook"]],
    ["npx tsop create ", ["api", "webhook"]],
    ["npx --no-install tsop completion z", ["zsh"]],
    ["pnpm exec tsop create api --ki", ["--kind"]],
  ])("completes %j", (line, expected) => {
    const script = `tsop completion fish | source; complete -C '${line}'`;
    const text = execFileSync("fish", ["--no-config", "-c", script], {
      env,
      cwd: join(project, "api"),
      encoding: "utf8",
    });
    const offered = text.split("\n").filter(Boolean);
    expect(offered.map((each) => each.split("\t")[0])).toEqual(expected);
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("questions on a terminal (skipped without script(1))", () => {
  const project = temporaryFolder();
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
    expect(text).toContain("hint: answer it, or pass --resource");
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
