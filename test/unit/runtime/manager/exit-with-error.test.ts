import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "tsop-exit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const source = (path: string): string =>
    JSON.stringify(fileURLToPath(new URL(`../../../../src/${path}`, import.meta.url)));
  const contents = `export * from ${source("runtime/manager/exit-with-error.ts")}; export * from ${source("errors/tsop-error.ts")};`;
  const outfile = join(folder, "runtime.mjs");
  await build({ stdin: { contents, resolveDir: folder }, outfile, bundle: true, platform: "node", format: "esm" });
});

/** Runs the last line of a program, as in main.ts. */
function run(code: string): { code: number | null; out: string; err: string } {
  const file = join(folder, "main.mjs");
  const head = `import { exitWithError, TsopError } from "./runtime.mjs"; process.on("uncaughtException", exitWithError);`;
  writeFileSync(file, `${head}\n${code}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

it.each([
  ["thrown", `throw`],
  ["rejected at the top level", `await Promise.reject`],
  ["rejected without a handler", `void Promise.reject`],
])("reports a problem of the user without a stack: %s", (_, how) => {
  expect(run(`${how}(new TsopError("TSOP_NO_CLUSTER", { home: "/h" }));`)).toEqual({
    code: 1,
    out: "",
    err:
      "error: no cluster is configured: no --kubeconfig, no KUBECONFIG, not inside a pod, and no /h  [TSOP_NO_CLUSTER]\n" +
      "hint: set KUBECONFIG or pass --kubeconfig; for the embedded server: npx tsop run --local, which writes .tsop/kubeconfig\n",
  });
});

it("distinguishes wrong flags, which are reported, from requested help, which is printed", () => {
  expect(run(`throw new TsopError("TSOP_FLAG_INVALID", { flag: "x", reason: "no" });`)).toMatchObject({
    code: 2,
    out: "",
  });
  expect(run(`throw new TsopError("TSOP_FLAGS_HELP", { usage: "flags" });`)).toEqual({
    code: 0,
    out: "flags\n",
    err: "",
  });
});

it("prints any other error in full: position and cause", () => {
  const { code, out, err } = run(`throw new Error("boom", { cause: new Error("because") });`);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^Error: boom\n {4}at .*main\.mjs:2:7/);
  expect(err).toContain("[cause]: Error: because\n");
});

it("prints a value that is not an error", () => {
  expect(run(`throw "a text";`)).toEqual({ code: 1, out: "", err: "'a text'\n" });
});

it("prints no objects that an error holds", () => {
  const secret = `{ metadata: { name: "db" }, data: { password: "s3cr3t" } }`;
  expect(run(`throw Object.assign(new Error("boom"), { secret: ${secret} });`).err).not.toContain("s3cr3t");
  expect(run(`throw ${secret};`)).toMatchObject({ code: 1, err: '{"name":"db"}\n' });
});
