import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the checkout, so that a mutant never reaches files that are being edited. */
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

  /**
   * Runs tests until one fails, and returns it with its file: "hangs" after the limit, undefined if all pass. The sources
   * are compiled without a check of types, so that only a test can fail.
   */
  async firstFailure(args, limitMs) {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const report = join(this.folder, "node_modules/report.json");
    rmSync(report, { force: true });
    const reporters = ["--reporter", "json", "--outputFile", report];
    const run = (this.running = spawn(process.execPath, [vitest, "run", "--bail", "1", ...reporters, ...args], {
      cwd: this.folder,
      stdio: "ignore",
      detached: true,
    }));
    const timer = setTimeout(() => killGroup(run), limitMs);
    const [code, signal] = await new Promise((resolve) => run.once("exit", (...end) => resolve(end)));
    clearTimeout(timer);
    // What the tests have started and not stopped.
    killGroup(run);
    if (signal) return { title: "hangs" };
    return code === 0 ? undefined : failureOf(report, this.folder);
  }

  /** Stops what runs in the copy, and removes it. */
  remove() {
    if (this.running) killGroup(this.running);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the first failed test of a report of Vitest, or only its file if that has failed outside of tests. */
function failureOf(report, folder) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const failed = testResults.find(({ status }) => status === "failed");
  if (!failed) return { title: "an error outside of the tests" };
  const test = failed.assertionResults.find(({ status }) => status === "failed")?.fullName;
  return { file: relative(folder, failed.name), test, title: test ?? failed.message.split("\n")[0] };
}

function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
