// `node test/corpus/round-trip.mjs FOLDER`: for each CustomResourceDefinition in a folder, at any depth, writes its types,
// compiles them in strict mode, makes the schema of the types again and compares it with the original. It prints how
// many are equal, and the differences by reason; it fails if types do not compile. It fetches nothing.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Inside of node_modules, so that packages are resolved from there.
const work = join(root, "node_modules", ".cache", `round-trip-${process.pid}`);
const outfile = join(work, "round-trip.mjs");
mkdirSync(work, { recursive: true });
try {
  await build({
    entryPoints: [join(root, "test/corpus/round-trip.ts")],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    sourcemap: "inline",
  });
  const { roundTrip } = await import(pathToFileURL(outfile).href);
  process.exitCode = await roundTrip({
    root,
    work,
    folder: process.argv[2],
    details: process.argv.includes("--details"),
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
