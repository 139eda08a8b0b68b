import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { LongRunning, repository, temporaryFolder } from "./shell.ts";

const folder = temporaryFolder("interrupts");
afterAll(() => folder.remove());

it("ends on Ctrl-C during an installation, with a complete project and the command to continue", async () => {
  const init = new LongRunning(process.execPath, [join(repository, "bin/tsop.js"), "init", "--domain", "example.com"], {
    cwd: folder.path,
  });
  await init.prints(/created {2}vitest\.config\.ts/);

  expect(await init.stop("SIGINT")).toBe(130);

  expect(init.output).toContain("interrupted while npm was installing; the project itself is complete");
  expect(init.output).toContain("hint: npm install");
  expect(existsSync(join(folder.path, "PROJECT"))).toBe(true);
});
