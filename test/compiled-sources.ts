import { execFileSync } from "node:child_process";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "src");
/** Where the compiled sources are. */
export const compiledRoot: string = join(root, "node_modules/.cache/tsop-sources");

/** Compiles src for the tests: a second or two, or less if few files have changed. */
export function compileSources(): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "test/tsconfig.compiled.json")], { stdio: "inherit" });
}

/**
 * Resolves imports of src to the compiled files, which Node loads itself. Otherwise Vite transforms each module, and each
 * worker asks for it: more than half of the time of most test files.
 */
export function compiledSources(): Plugin {
  return {
    name: "compiled-sources",
    enforce: "pre",
    resolveId(source, importer) {
      if (!source.startsWith(".") || !importer || importer.includes("/node_modules/")) return undefined;
      const [path, query = ""] = relative(sources, resolve(dirname(importer), source)).split(/(?=\?)/);
      if (path!.startsWith("..") || !/\.tsx?$/.test(path!)) return undefined;
      return { id: join(compiledRoot, "src", path!.replace(/\.tsx?$/, ".js")) + query, external: true };
    },
  };
}
