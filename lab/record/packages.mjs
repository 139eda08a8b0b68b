// Records the packages that a new project gets, with their versions: `node lab/record/packages.mjs`, after a build.
// It resolves the newest versions that package.json of the template allows; run the end-to-end tests with them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsop-packages-"));
const run = (program, ...args) => {
  const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
};
try {
  run(process.execPath, join(repository, "bin/tsop.js"), "init", "--domain", "example.com", "--skip-install");
  run("npm", "install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund");
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  // The project and tsop itself differ each time.
  const lines = Object.entries(packages)
    .filter(([path]) => path !== "" && path !== "node_modules/tsop")
    .map(([path, entry]) => `${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
  writeFileSync(join(repository, "src/cli/package/tested-packages.json"), `{\n${lines.join(",\n")}\n}\n`);
  console.log(`${lines.length} packages`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
