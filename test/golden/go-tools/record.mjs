// Runs by hand with kubebuilder, operator-sdk and kustomize on the PATH: scaffolds the golden scenarios with the Go tools,
// copies our generated files into their trees (the generators have their own tests), builds the trees with kustomize, and
// records the objects. `node test/golden/go-tools/record.mjs`
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProject } from "../stored-projects.mjs";
import { builds, scenarios } from "./scenarios.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const env = { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off" };
const skipModules = ["--fetch-deps=false", "--skip-go-version-check"];

for (const { name, tool, commands } of scenarios) {
  const work = mkdtempSync(join(tmpdir(), "go-tools-"));
  const folder = join(work, name);
  mkdirSync(folder);
  for (const line of commands) scaffold(tool, line, folder);
  const own = join(work, "own");
  writeProject(name, own);
  for (const generated of ["config/crd/bases", "config/rbac/role.yaml", "config/webhook/manifests.yaml"]) {
    const ours = join(own, generated);
    if (existsSync(ours)) cpSync(ours, join(folder, generated), { recursive: true });
  }
  const recorded = {};
  for (const build of builds.filter((each) => existsSync(join(folder, each)))) {
    recorded[build] = execFileSync("kustomize", ["build", build], { cwd: folder, encoding: "utf8" });
  }
  writeFileSync(join(here, `${name}.${tool}.json`), `${JSON.stringify(recorded, null, 1)}\n`);
  rmSync(work, { recursive: true });
}

/** Ignores failures about missing Go modules: the tools have written all files before. */
function scaffold(tool, line, cwd) {
  const args = line.split(" ");
  try {
    execFileSync(tool, [...args, ...(args[0] === "init" ? skipModules : ["--make=false"])], {
      cwd,
      env,
      stdio: "pipe",
    });
  } catch (error) {
    if (!/go mod tidy|updating go dependencies/.test(String(error.stderr) + String(error.stdout))) throw error;
  }
}
