import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { realIo } from "../../src/cli/terminal/real-io.ts";
import { main } from "../../src/cli/main.ts";
import { filesBelow, goldenRoot, runScenario, scenarios } from "./scenarios.mjs";

const root = mkdtempSync(join(tmpdir(), "tsop-golden-"));
afterAll(() => rmSync(root, { recursive: true }));

it.each(scenarios)("%s matches the output of commands.txt (npm run golden rewrites it)", async (name: string) => {
  const golden = join(goldenRoot, name);
  const folder = mkdtempSync(join(root, `${name}-`));
  await runScenario(name, folder, main, realIo());
  const committed = filesBelow(golden).filter((path) => path !== "commands.txt");
  expect(filesBelow(folder)).toEqual(committed);
  for (const path of committed)
    expect(readFileSync(join(folder, path), "utf8"), path).toBe(readFileSync(join(golden, path), "utf8"));
});
