import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as esbuild from "esbuild";
import type { BuildFailure, Message } from "esbuild";
import { DiagnosticsError, type Diagnostic } from "../errors/diagnostic.ts";
import { TsopError } from "../errors/tsop-error.ts";

type Esbuild = typeof esbuild;

/** Bundles the project's main.ts into `outfile` with a source map; packages stay in node_modules. */
export async function buildOperator(root: string, outfile: string): Promise<void> {
  if (!existsSync(join(root, "main.ts"))) throw new TsopError("TSOP_ENTRY_MISSING", { root });
  const builder = await loadEsbuild(root);
  await builder
    .build({
      absWorkingDir: root,
      entryPoints: ["main.ts"],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      packages: "external",
      sourcemap: true,
      logLevel: "silent",
    })
    .catch((error: unknown) => {
      throw isBuildFailure(error) ? buildError(error) : error;
    });
}

/** The project's own esbuild: a dependency of the project, as the Dockerfile uses it, not of tsop. */
async function loadEsbuild(root: string): Promise<Esbuild> {
  const require = createRequire(join(root, "package.json"));
  for (const name of ["tsop", "esbuild"]) {
    try {
      require.resolve(`${name}/package.json`);
    } catch (cause) {
      throw new TsopError("TSOP_DEPENDENCIES_MISSING", { package: name, root }, { cause });
    }
  }
  const loaded = (await import(pathToFileURL(require.resolve("esbuild")).href)) as Esbuild & { default?: Esbuild };
  return loaded.default ?? loaded;
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function buildError(failure: BuildFailure): DiagnosticsError {
  return new DiagnosticsError(failure.errors.map(diagnostic));
}

function diagnostic({ location, text, notes }: Message): Diagnostic {
  const hint = notes[0]?.text;
  return {
    severity: "error",
    code: "TSOP_BUILD",
    file: location ? location.file : "main.ts",
    line: location?.line ?? 1,
    column: (location?.column ?? 0) + 1,
    message: text,
    ...(hint && { hint }),
  };
}
