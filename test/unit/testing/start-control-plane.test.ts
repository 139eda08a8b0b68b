import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../../src/testing/test-environment.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tsop-assets-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (options: TestEnvironmentOptions) => new TestEnvironment({ env: {}, ...options }).start();

/** A program that says what it was called with, and does this. */
function program(name: string, script: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

it("names the program that is missing", async () => {
  program("etcd", "");
  await expect(start({ binaryAssetsDirectory: folder })).rejects.toMatchObject({
    code: "TSOP_ASSETS_MISSING",
    message: `there is no ${join(folder, "kube-apiserver")}`,
  });
});

it("names a program that is not executable, or not a file", async () => {
  program("etcd", "", 0o644);
  const unusable = { code: "TSOP_ASSET_UNUSABLE" };
  await expect(start({ binaryAssetsDirectory: folder })).rejects.toMatchObject({
    ...unusable,
    message: `${join(folder, "etcd")} can't be run: it is not executable`,
  });
  rmSync(join(folder, "etcd"));
  mkdirSync(join(folder, "etcd"));
  await expect(start({ binaryAssetsDirectory: folder })).rejects.toMatchObject(unusable);
});

it("reports the failure of a program for another machine", async () => {
  program("kube-apiserver", "");
  // The beginning of a program for another processor.
  writeFileSync(join(folder, "etcd"), Buffer.from("7f454c4602010100000000000000000002000000", "hex"), { mode: 0o755 });
  const failure = await start({ binaryAssetsDirectory: folder }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "TSOP_CONTROL_PLANE_FAILED" });
  expect((failure as Error).message).toMatch(/^etcd did not start: .+/);
});

it("reports the last lines of a program that ends, and leaves no process or folder", async () => {
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  program("etcd", 'echo "no such flag" >&2; exit 3');
  program("kube-apiserver", "");
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  try {
    await expect(start({ binaryAssetsDirectory: folder })).rejects.toMatchObject({
      message: "etcd did not start: no such flag",
    });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  expect(readdirSync(temporary)).toEqual([]);
});

it("stops a program that never becomes healthy", async () => {
  program("kube-apiserver", "");
  const pidFile = join(folder, "pid");
  program("etcd", `echo $$ > ${pidFile}; exec sleep 600`);
  // Long enough for the program to begin, however busy the machine is.
  for (let ms = 300; !existsSync(pidFile); ms *= 4) {
    await expect(start({ binaryAssetsDirectory: folder, startTimeoutMs: ms })).rejects.toMatchObject({
      message: `etcd did not start: not healthy after ${ms} ms`,
    });
  }
  const pid = execFileSync("cat", [pidFile], { encoding: "utf8" }).trim();
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});

it("finds each program by envtest's variable", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  const env = {
    TEST_ASSET_ETCD: program("other/my-etcd", 'echo "mine: $1" >&2; exit 1'),
    TEST_ASSET_KUBE_APISERVER: program("other/my-apiserver", ""),
  };
  for (const options of [{ env }, { env: { ...env, KUBEBUILDER_ASSETS: folder } }]) {
    await expect(start(options)).rejects.toMatchObject({
      message: expect.stringMatching(/^my-etcd did not start: mine: --data-dir=/),
    });
  }
  const embedded = new TestEnvironment({ env, binaryAssetsDirectory: "" });
  await embedded.start();
  await embedded.stop();
});

it.each<[string, TestEnvironmentOptions]>([
  ["a clock", { clock: manualClock() }],
  ["simulate: true", { simulate: true }],
])("rejects %s with real programs", async (feature, options) => {
  for (const name of ["etcd", "kube-apiserver"]) program(name, "exit 1");
  await expect(start({ binaryAssetsDirectory: folder, ...options })).rejects.toMatchObject({
    code: "TSOP_EMBEDDED_ONLY",
    message: `${feature} needs the embedded server`,
  });
});
