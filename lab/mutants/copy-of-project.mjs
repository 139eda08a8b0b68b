import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the checkout, so that a mutant never reaches the files that somebody edits. */
export class CopyOfProject {
  folder = mkdtempSync(join(tmpdir(), "tsop-mutants-"));
  running;

  constructor() {
    const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
    for (const path of listed.split("\n").filter(Boolean)) {
      mkdirSync(join(this.folder, dirname(path)), { recursive: true });
      cpSync(join(root, path), join(this.folder, path));
    }
    // A folder of its own for the compiled sources, the packages of the checkout.
    mkdirSync(join(this.folder, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache"))
      symlinkSync(join(root, "node_modules", name), join(this.folder, "node_modules", name));
    this.build();
  }

  build() {
    execFileSync("npm", ["run", "build"], { cwd: this.folder, stdio: "ignore" });
  }

  write(path, text) {
    writeFileSync(join(this.folder, path), text);
  }

  /** Runs tests, and returns whether they passed. Tests that hang have noticed the change. */
  async passes(args, limitMs) {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const run = (this.running = spawn(process.execPath, [vitest, "run", "--bail", "1", "--reporter", "dot", ...args], {
      cwd: this.folder,
      stdio: "ignore",
      detached: true,
    }));
    const timer = setTimeout(() => killGroup(run), limitMs);
    const code = await new Promise((resolve) => run.once("exit", resolve));
    clearTimeout(timer);
    // What the tests have started and not stopped.
    killGroup(run);
    return code === 0;
  }

  /** Stops what runs in the copy, and removes it. */
  remove() {
    if (this.running) killGroup(this.running);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
