// `npm run golden`: recreates every scenario from its commands.txt. Review the difference before you commit it.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, givenNames, goldenRoot, runScenario, scenarios } from "./scenarios.mjs";

const load = createRequire(import.meta.url)("../../bin/load-tool.js").loadTool("golden");
const { main } = load("cli/main.js");
const io = load("cli/terminal/real-io.js").realIo();
for (const name of scenarios) {
  const folder = mkdtempSync(join(tmpdir(), `tsop-golden-${name}-`));
  try {
    await runScenario(name, folder, main, io);
    const target = join(goldenRoot, name);
    for (const entry of readdirSync(target))
      if (!givenNames.includes(entry)) rmSync(join(target, entry), { recursive: true });
    cpSync(folder, target, { recursive: true });
    console.log(`${name}: ${filesBelow(folder).length} files`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
