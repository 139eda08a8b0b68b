import { isBuiltin, createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { isBelow } from "../../files/slashes.ts";
import { realpathSync } from "node:fs";
import { join } from "node:path";

/**
 * Leaves packages in node_modules, but for those that are written in TypeScript, which Node does not load: packages of a
 * workspace are often used without a build of their own.
 */
export function packageImports(root: string): Plugin {
  const resolving = {};
  return {
    name: "package-imports",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === resolving || kind === "entry-point") return undefined;
        const external = { path, external: true };
        if (/^tsop(\/|$)/.test(path) || isBuiltin(path)) return external;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: resolving });
        if (found.errors.length > 0 || found.external) return external;
        if (/\.[cm]?tsx?$/.test(found.path)) return found;
        // A package may have dependencies that the project does not list.
        const isOwn = isBelow(root, importer);
        return isOwn ? external : { path: pathToFileURL(found.path).href, external: true };
      });
    },
  };
}

/**
 * Returns the real path of what the project imports as `name`. Node returns the path of a link instead (seen with Node
 * 20) if the file that the process examined last was a pipe, such as its output or a manifest to apply; a package that is
 * loaded by its link does not find its own dependencies.
 */
export function resolvePackage(root: string, name: string): string {
  return realpathSync.native(createRequire(join(root, "package.json")).resolve(name));
}
