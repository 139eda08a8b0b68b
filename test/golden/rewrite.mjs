// `npm run golden`: recreates every project from its commands.txt. Review the difference before you commit it.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, runScenario, scenarios } from "./scenarios.mjs";
import { storeProject } from "./stored-projects.mjs";

const load = createRequire(import.meta.url)("../../bin/load-tool.js").loadTool("golden");
const { main } = load("cli/main.js");
const io = load("cli/terminal/real-io.js").realIo();
// The others are stored as their differences from these.
for (const name of new Set(["minimal", "webhooks", ...scenarios])) {
  const folder = mkdtempSync(join(tmpdir(), `tsop-golden-${name}-`));
  try {
    await runScenario(name, folder, main, io);
    storeProject(name, folder);
    console.log(`${name}: ${filesBelow(folder).length} files`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
