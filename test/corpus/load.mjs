// The corpus' scripts use the product's parts, which are TypeScript: they are bundled first.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles a file of this folder, and calls `use` with what it exports and with a folder that is removed afterwards. */
export async function load(name, use) {
  // Inside of node_modules, so that packages are resolved from there.
  const work = join(root, "node_modules", ".cache", `${name}-${process.pid}`);
  const outfile = join(work, `${name}.mjs`);
  mkdirSync(work, { recursive: true });
  try {
    await build({
      entryPoints: [join(root, "test/corpus", `${name}.ts`)],
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      sourcemap: "inline",
    });
    await use(await import(pathToFileURL(outfile).href), work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
