import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { isBelow } from "../../files/slashes.ts";

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
