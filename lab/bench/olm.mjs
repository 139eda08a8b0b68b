// The commands for OLM on the Memcached example, compared with operator-sdk if KUBEBUILDER_ASSETS or PATH has it. Needs
// kustomize, which builds the input of a bundle. The rounds alternate, so that a slow moment of the machine affects all
// commands.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTimes } from "./print-times.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const tsop = join(repository, "bin/tsop.js");
const rounds = 21;

/** Prints the table; `folder` is a temporary one. */
export function benchOlm({ folder, env }) {
  const project = join(folder, "memcached-operator");
  const goProject = join(folder, "go");
  const isSource = (path) => !path.includes("node_modules");
  cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true, filter: isSource });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(repository, join(project, "node_modules/tsop"));
  mkdirSync(goProject);
  const node = (...args) => [process.execPath, ...args];
  const runOnce = ([program, ...args], { cwd = project, input = "" } = {}) => {
    const begin = performance.now();
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, input, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
    return { stdout, time: performance.now() - begin };
  };
  if (spawnSync("kustomize", ["version"], { env }).error) {
    console.log("\nno kustomize: the commands for OLM are not measured");
    return;
  }
  runOnce(node(tsop, "generate", "kustomize", "manifests", "-q"));
  const input = runOnce(["kustomize", "build", "config/manifests"]).stdout;
  const generate = ["generate", "bundle", "-q", "--version", "0.0.1"];
  runOnce(node(tsop, ...generate), { input });

  const cases = [
    ["node -e 0", () => runOnce(node("-e", "0"))],
    ["tsop generate kustomize manifests", () => runOnce(node(tsop, "generate", "kustomize", "manifests", "-q"))],
    ["tsop generate bundle", () => runOnce(node(tsop, ...generate), { input })],
    ["tsop bundle validate", () => runOnce(node(tsop, "bundle", "validate", "./bundle"))],
  ];
  if (!spawnSync("operator-sdk", ["version"], { env }).error) {
    cpSync(join(project, "bundle"), join(goProject, "bundle"), { recursive: true });
    writeFileSync(join(goProject, "input.yaml"), input);
    // It reads only from a pipe, and rejects a PROJECT with an unknown layout.
    const piped = ["sh", "-c", `cat input.yaml | operator-sdk ${generate.join(" ")} --package memcached-operator`];
    cases.push(
      ["operator-sdk generate bundle", () => runOnce(piped, { cwd: goProject })],
      [
        "operator-sdk bundle validate",
        () => runOnce(["operator-sdk", "bundle", "validate", "./bundle"], { cwd: goProject }),
      ],
    );
  }
  const times = new Map(cases.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) for (const [name, run] of cases) times.get(name).push(run().time);
  const lines = readFileSync(join(project, "bundle/manifests/memcached-operator.clusterserviceversion.yaml"), "utf8");
  console.log(`\nOLM, a bundle of ${input.split("\n").length} lines of input and ${lines.split("\n").length} of CSV`);
  printTimes("command", times);
}
