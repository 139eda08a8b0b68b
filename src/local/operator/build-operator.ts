import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as esbuild from "esbuild";
import { DiagnosticsError, type Diagnostic } from "../../errors/diagnostic.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { packageImports, resolvePackage } from "./package-imports.ts";

export type Esbuild = typeof esbuild;

/** Bundles a project's main.ts repeatedly. */
export interface OperatorBuilder {
  /**
   * Writes the bundle and its source map. Returns true if it differs from the one before; throws a DiagnosticsError.
   */
  build(): Promise<boolean>;
  close(): Promise<void>;
}

export interface BuildOptions {
  readonly root: string;
  readonly outfile: string;
  /** True to bundle the packages, too; otherwise they stay in node_modules. */
  readonly isWhole?: boolean;
}

/** Prepares to bundle the project's main.ts into `outfile`. */
export async function operatorBuilder(
  { context }: Esbuild,
  { root, outfile, isWhole = false }: BuildOptions,
): Promise<OperatorBuilder> {
  const building = await context({
    absWorkingDir: root,
    entryPoints: ["main.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: isWhole ? [] : [packageImports(root)],
    external: ["@kubernetes/client-node"],
    conditions: [], // not `module`, which Node does not know
    sourcemap: true,
    write: false,
    logLevel: "silent",
  });
  let hashes = "";
  return {
    async build() {
      const { outputFiles } = await building.rebuild().catch((error: unknown) => {
        throw isBuildFailure(error) ? new DiagnosticsError(error.errors.map(diagnostic)) : error;
      });
      const next = outputFiles.map(({ hash }) => hash).join(" ");
      if (next === hashes) return false;
      await makeFolder(dirname(outfile));
      await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
      hashes = next;
      return true;
    },
    close: () => building.dispose(),
  };
}

/**
 * Loads the project's own esbuild, which the Dockerfile uses, too. Throws if the project has no main.ts, or its
 * packages are not installed.
 */
export async function loadEsbuild(root: string): Promise<Esbuild> {
  if (!existsSync(join(root, "main.ts"))) throw new TsopError("TSOP_ENTRY_MISSING", { root });
  for (const name of ["tsop", "esbuild"]) {
    try {
      resolvePackage(root, `${name}/package.json`);
    } catch (cause) {
      throw new TsopError(
        "TSOP_DEPENDENCIES_MISSING",
        { package: name, root, install: installCommand(root) },
        { cause },
      );
    }
  }
  const loaded = (await import(pathToFileURL(resolvePackage(root, "esbuild")).href)) as Esbuild & { default?: Esbuild };
  return loaded.default ?? loaded;
}

/** Returns the URL of the library that the project's operator imports. */
export function libraryOf(root: string): string {
  return pathToFileURL(resolvePackage(root, "tsop")).href;
}

/** Returns the command that installs packages, by the lock file. */
function installCommand(root: string): string {
  const commands = [
    ["package-lock.json", "npm ci"],
    ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
    ["yarn.lock", "yarn install"],
  ] as const;
  return commands.find(([lock]) => existsSync(join(root, lock)))?.[1] ?? "npm install";
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function diagnostic({ location, text, notes }: esbuild.Message): Diagnostic {
  const hint = notes[0]?.text;
  return {
    severity: "error",
    code: "TSOP_BUILD",
    file: location?.file ?? "main.ts",
    line: location?.line ?? 1,
    column: (location?.column ?? 0) + 1,
    message: text,
    ...(hint && { hint }),
  };
}
