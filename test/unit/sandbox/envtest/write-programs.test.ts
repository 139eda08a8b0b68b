import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isProgramsFolder } from "../../../../src/sandbox/envtest/write-programs.ts";
import { writePrograms } from "../../../../src/sandbox/envtest/write-programs.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { onWindows } from "../../../on-windows.ts";

const cache = mkdtempSync(join(tmpdir(), "tsop programs-"));
afterAll(() => rmSync(cache, { recursive: true }));
const env = { XDG_CACHE_HOME: cache };

it("writes the programs once, also in parallel, and leaves nothing else behind", async () => {
  const folders = await Promise.all(Array.from({ length: 5 }, () => writePrograms(env)));
  expect(new Set(folders).size).toBe(1);
  const [folder = ""] = folders;
  expect(readdirSync(folder).toSorted()).toEqual(["etcd", "kube-apiserver", "kubectl", "tsop-envtest.txt"]);
  expect(readdirSync(dirname(folder))).toHaveLength(1);
  const { ino } = statSync(join(folder, "etcd"));
  expect(await writePrograms(env)).toBe(folder);
  expect(statSync(join(folder, "etcd")).ino).toBe(ino);
});

it("replaces what was changed or removed", async () => {
  const folder = await writePrograms(env);
  const text = readFileSync(join(folder, "etcd"), "utf8");
  rmSync(join(folder, "kubectl"));
  writeFileSync(join(folder, "etcd"), "");
  expect(await writePrograms(env)).toBe(folder);
  expect(readFileSync(join(folder, "etcd"), "utf8")).toBe(text);
  expect(readdirSync(folder)).toHaveLength(4);
  expect(readdirSync(dirname(folder))).toHaveLength(1);
});

it("prefers XDG_CACHE_HOME to HOME, and says that Windows has no such programs", async () => {
  expect(dirname(await writePrograms({ HOME: cache }))).toMatch(/(\.cache|Library\/Caches)\/tsop\/envtest$/);
  await expect(onWindows(() => writePrograms(env))).rejects.toMatchObject({ code: "TSOP_NO_SIGNALS" });
});

it("answers envtest's questions about flags without starting Node", async () => {
  const folder = await writePrograms(env);
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(folder, program), args, { encoding: "utf8", env: { PATH: "/bin:/usr/bin" } });
  expect(run("kube-apiserver", "--help").stdout).toMatch(/^ +--service-account-issuer stringArray$/m);
  // envtest passes the flag if it is there; the real one lost it with 1.24.
  expect(run("kube-apiserver", "--help").stdout).not.toContain("--insecure-port");
  expect(run("kube-apiserver", "--version").stdout).toMatch(/^Kubernetes v1\.\d+\.\d+\n$/);
  expect(run("etcd", "--help").status).toBe(0);
});

it("runs the kubectl of the PATH, and never itself", async () => {
  const folder = await writePrograms(env);
  const kubectl = join(folder, "kubectl");
  const elsewhere = mkdtempSync(join(cache, "bin-"));
  const run = (path: string) =>
    spawnSync(kubectl, ["get", "a b"], { encoding: "utf8", env: { PATH: `${folder}:${path}:/bin:/usr/bin` } });
  writeFileSync(join(elsewhere, "kubectl"), '#!/bin/sh\nprintf "%s," "$@"\n', { mode: 0o755 });
  expect(run(elsewhere).stdout).toBe("get,a b,");
  const { status, stderr } = spawnSync(kubectl, [], { encoding: "utf8", env: { PATH: folder } });
  expect([status, stderr]).toEqual([127, expect.stringContaining("the PATH has none")]);
});

it("is recognized by TestEnvironment, which stays in process", async () => {
  const folder = await writePrograms(env);
  expect([isProgramsFolder(folder), isProgramsFolder(cache)]).toEqual([true, false]);
  const embedded = new TestEnvironment({ env: { KUBEBUILDER_ASSETS: folder }, simulate: true });
  await embedded.start();
  expect(embedded.config.source).toBe("the embedded server");
  await embedded.stop();
});
