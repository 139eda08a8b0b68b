import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();
const repository = fileURLToPath(new URL("../../../", import.meta.url));

describe("bin/tsop.js", () => {
  it.each([["init"], ["version"]])("says how to build a checkout without dist: %s", (word) => {
    const checkout = join(folder, "checkout");
    for (const name of ["bin", "package.json"])
      cpSync(join(repository, name), join(checkout, name), { recursive: true });
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, "bin/tsop.js"), word], {
      encoding: "utf8",
    });
    const lines = ["error: this checkout of tsop is not built", `hint: cd ${checkout} && npm ci && npm run build`, ""];
    expect([status, stdout, stderr.split("\n")]).toEqual([1, "", lines]);
  });
});

// These use dist/, which `npm test` builds.
describe("an output that cannot be written", () => {
  // The device of Linux that is always full.
  it.skipIf(!existsSync("/dev/full")).each(["version", "--help"])("is an error with a hint: %s", (word) => {
    const script = '"$0" "$1" "$2" > /dev/full';
    const run = spawnSync("sh", ["-c", script, process.execPath, join(repository, "bin/tsop.js"), word], {
      encoding: "utf8",
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^error: cannot write to the standard output: ENOSPC: no space left on device, write/);
    expect(run.stderr.split("\n").length).toBeLessThan(4);
  });
});

describe("the compiled code that bin/tsop.js keeps", () => {
  const command = ["edit", "--help"];

  it("is kept for each command, and used again", () => {
    const { cache, run } = cacheFolder("kept");
    const first = run(command);
    const [file] = kept(cache);
    expect(file).toMatch(/\/edit\.bin$/);
    const written = statSync(file!).mtimeMs;
    expect(run(command)).toEqual(first);
    expect(run(["create", "api", "--help"]).status).toBe(0);
    expect(kept(cache).map((path) => path.split("/").at(-1))).toEqual(["create_api.bin", "edit.bin"]);
    expect(statSync(file!).mtimeMs).toBe(written);
  });

  it("is written again if it is damaged, cut off, or of another V8", () => {
    const { cache, run } = cacheFolder("damaged");
    const first = run(command);
    const [file] = kept(cache);
    const good = readFileSync(file!);
    const damaged = Buffer.from(good);
    damaged.fill(0, 1000, 1100);
    // V8 refuses code of another version, which the first bytes name.
    const foreign = Buffer.from(good);
    for (const at of [0, foreign.length / 2]) foreign.fill(0, at, at + 16);
    for (const bytes of [damaged, good.subarray(0, 1001), foreign]) {
      writeFileSync(file!, bytes);
      expect(run(command)).toEqual(first);
      expect(readFileSync(file!).length).toBeGreaterThan(2000);
      expect(readFileSync(file!).equals(bytes)).toBe(false);
    }
  });

  it("names no folder in stacks, as copies of the package in other projects use it", () => {
    const script = `
      import { TestEnvironment } from ${JSON.stringify(join(repository, "dist/testing/index.js"))};
      await new TestEnvironment({ crdPaths: ["nowhere"] }).start().catch(({ stack }) => console.log(stack));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    expect(stdout).toMatch(/ \(tsop\/dist\/server\.cjs:\d+:\d+\)/);
    expect(stdout).not.toContain(`${repository}dist`);
  });

  it("is removed a week after another version wrote it, and nothing else is", () => {
    const { cache, run } = cacheFolder("old");
    const root = join(cache, "tsop");
    const old = new Date(Date.now() - 8 * 24 * 3600_000);
    const names = ["0123456789abcdef-v20.19.0-x64", "fedcba9876543210-v20.19.0-x64", "my-checkout"];
    for (const name of names) mkdirSync(join(root, name), { recursive: true });
    for (const name of [names[0]!, names[2]!]) utimesSync(join(root, name), old, old);
    run(command);
    expect(names.filter((name) => existsSync(join(root, name)))).toEqual(names.slice(1));
  });

  it("leaves nothing behind if it cannot be kept", () => {
    const { cache, run } = cacheFolder("blocked");
    const first = run(command);
    const [file] = kept(cache);
    rmSync(file!);
    mkdirSync(file!);
    expect(run(command)).toEqual(first);
    expect(kept(cache)).toEqual([]);
  });

  it("is not kept for a failing command, nor if Node's variable disables it, nor without a writable folder", () => {
    const { cache, run } = cacheFolder("none");
    expect(run(["edit", "--no-such-flag"]).status).toBe(2);
    expect(run(command, { NODE_DISABLE_COMPILE_CACHE: "1" }).status).toBe(0);
    expect(run(command, { XDG_CACHE_HOME: "", HOME: "" }).status).toBe(0);
    expect(existsSync(cache)).toBe(false);
    writeFileSync(cache, "a file where the folder should be");
    expect(run(command)).toMatchObject({ status: 0, stderr: "" });
  });

  /** Runs tsop with a folder for caches of its own. */
  function cacheFolder(name: string) {
    const cache = join(folder, name);
    const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, "bin/tsop.js"), ...args], {
        encoding: "utf8",
        env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "", XDG_CACHE_HOME: cache, ...env },
      });
      return { status, stdout, stderr };
    };
    return { cache, run };
  }

  function kept(cache: string): string[] {
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  }
});
