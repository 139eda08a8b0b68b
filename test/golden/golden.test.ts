import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { realIo } from "../../src/cli/terminal/real-io.ts";
import { main } from "../../src/cli/main.ts";
import { filesBelow, runScenario, scenarios } from "./scenarios.mjs";
import { differences, readProject, readStored } from "./stored-projects.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const root = temporaryFolder();

it.each(scenarios)("%s matches the output of commands.txt (npm run golden rewrites it)", async (name: string) => {
  const folder = mkdtempSync(join(root, `${name}-`));
  await runScenario(name, folder, main, realIo());
  const project = readProject(name);
  expect(filesBelow(folder)).toEqual([...project.keys()]);
  for (const [path, text] of project) expect(readFileSync(join(folder, path), "utf8"), path).toBe(text);
  // No file is stored that equals the one of minimal.
  expect([...readStored(name).keys()].sort()).toEqual([...differences(name, folder).keys()].sort());
});
