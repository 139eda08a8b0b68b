import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "../files/disk.ts";
import { withSlashes } from "../files/slashes.ts";
import type { PackageManager } from "../project/scaffold/init/package-manager.ts";

/** The machine that builds. */
export interface Host {
  readonly disk: Disk;
  /** Runs a program until it exits. */
  run(
    program: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
}

/** What esbuild reports of a bundle: https://esbuild.github.io/api/#metafile */
export interface Metafile {
  readonly inputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; external?: boolean }[] }>
  >;
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { bytesInOutput: number }>> }>>;
}

export interface OperatorBundle {
  readonly metafile: Metafile;
  /** The files of the bundle by their paths in its folder, in order. */
  readonly files: readonly { readonly path: string; readonly body: Buffer }[];
}

export interface BundleOptions {
  readonly root: string;
  readonly manager: PackageManager;
  /** The folder of the bundle, relative to the root. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Bundles the operator with the script `build` of its package.json, as the Dockerfile does. The files are the ones that
 * this run has written: the folder may have others, of earlier runs.
 */
export async function bundleOperator(host: Host, options: BundleOptions): Promise<OperatorBundle> {
  const { root, manager, folder, signal } = options;
  const temporary = await mkdtemp(join(tmpdir(), "tsop-image-"));
  try {
    const file = join(temporary, "metafile.json");
    // npm would read the option itself.
    const args = ["run", "build", ...(manager === "npm" ? ["--"] : []), `--metafile=${file}`];
    const command = `${manager} run build`;
    const { exitCode, stdout, stderr } = await host.run(manager, args, { cwd: root, signal });
    if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
    const output = [stderr, stdout].map((text) => text.trim()).filter(Boolean);
    // With an output, the program of the script is missing.
    if (exitCode === 127 && output.length === 0) throw new TsopError("TSOP_PACKAGE_MANAGER_MISSING", { manager });
    if (exitCode !== 0)
      throw new TsopError("TSOP_OPERATOR_BUNDLE", { command, reason: output.join("\n") || `exit code ${exitCode}` });
    const metafile = await readFile(file, "utf8").catch(() => undefined);
    if (metafile === undefined)
      throw new TsopError("TSOP_OPERATOR_BUNDLE", { command, reason: "it did not pass --metafile=FILE to esbuild" });
    return await readBundle(JSON.parse(metafile) as Metafile, { root, folder, command });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function readBundle(
  metafile: Metafile,
  { root, folder, command }: { readonly root: string; readonly folder: string; readonly command: string },
): Promise<OperatorBundle> {
  const prefix = `${folder}/`;
  const paths = Object.keys(metafile.outputs)
    .map((path) => withSlashes(path))
    .filter((path) => path.startsWith(prefix));
  if (paths.length === 0)
    throw new TsopError("TSOP_OPERATOR_BUNDLE", { command, reason: `it wrote nothing into ${folder}` });
  const files = paths
    .toSorted()
    .map(async (path) => ({ path: path.slice(prefix.length), body: await readFile(join(root, path)) }));
  return { metafile, files: await Promise.all(files) };
}
