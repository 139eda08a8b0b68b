import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("busy.mjs", import.meta.url));

it("V8 optimizes nothing while a manager has used little processor time, and then as usual", async () => {
  expect(await run(["--allow-natives-syntax"])).toEqual({ early: false, late: true });
});

it("leaves the compilers to a program that chose them", async () => {
  expect(await run(["--allow-natives-syntax", "--opt"])).toEqual({ early: true, late: true });
});

it("turns no compiler on if there is none", async () => {
  // V8 ends a process that has to optimize and cannot.
  expect(await run(["--allow-natives-syntax", "--jitless"], 3_000)).toEqual({ early: false, late: false });
});

async function run(flags: readonly string[], patience = 60_000) {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, String(patience)], {
    timeout: 90_000,
  });
  return JSON.parse(stdout) as { early: boolean; late: boolean };
}
