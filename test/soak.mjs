// `npm run soak -- --minutes N [--seed S] [--changes-per-second R] [--real]`: injects faults around an operator for the
// given time. After each round the state must be as if no fault had occurred; the first missed state ends the run with
// exit code 1. It prints a line per round, and at the end the counts and the growth of memory. The parts are those of
// the chaos suite, which are TypeScript: they are bundled first.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
// Inside of node_modules, so that packages are resolved from there.
const folder = join(root, "node_modules", ".cache", `soak-${process.pid}`);
const outfile = join(folder, "soak.mjs");
mkdirSync(folder, { recursive: true });
try {
  await build({
    entryPoints: [join(root, "test/conformance/runtime/chaos/soak.ts")],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    sourcemap: "inline",
  });
  const { soak } = await import(pathToFileURL(outfile).href);
  process.exitCode = await soak(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
