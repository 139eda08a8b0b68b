// Scripts use the product's parts, which are TypeScript: they are bundled first.
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Bundles a TypeScript file, and calls `use` with its exports and with a folder that is removed afterwards. */
export async function loadTypeScript(url, use) {
  const file = fileURLToPath(url);
  const name = basename(file, ".ts");
  // Inside of node_modules, so that packages are resolved from there.
  const folder = join(root, "node_modules", ".cache", `${name}-${process.pid}`);
  const outfile = join(folder, `${name}.mjs`);
  mkdirSync(folder, { recursive: true });
  try {
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      sourcemap: "inline",
    });
    await use(await import(pathToFileURL(outfile).href), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
