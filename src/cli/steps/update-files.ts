import { mkdir } from "node:fs/promises";
import { join, resolve, dirname } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import type { ProjectFiles } from "../../project/scaffold/update/plan-update.ts";
import { projectCommands, type CommandLine } from "../../project/scaffold/update/project-commands.ts";
import type { Io } from "../io.ts";
import { vendoredSpec, type OwnPackage } from "../package/tsop-spec.ts";
import { findRecordedPackage, isSameBuild, versionOf } from "../package/recorded-package.ts";
import { readProjectFiles, runTsop, withTemporaryFolder, type TsopPackage } from "./run-tsop.ts";
import { createRequire } from "node:module";

interface UpdateSources {
  readonly loaded: LoadedProject;
  readonly own: OwnPackage;
  /** The tsop dependency of the updated project. */
  readonly spec: string;
  /** The folder of `--base`, absolute. */
  readonly base: string | undefined;
  readonly temporary: string;
}

/**
 * Reports whether the running tsop wrote the project. Its version tells it, but for a project that contains an
 * unpublished tsop: builds of one version differ, and a published one replaces them.
 */
export async function isUpToDate(io: Io, loaded: LoadedProject, own: OwnPackage): Promise<boolean> {
  const { version } = own;
  if (loaded.project.cliVersion !== version) return false;
  if ((await currentSpec(io, loaded)) !== vendoredSpec(version)) return true;
  if (own.isPublished) return false;
  return withTemporaryFolder(async (temporary) => {
    const written = await findRecordedPackage(io, { root: loaded.root, version, temporary });
    return isSameBuild(written.root, own.root, io);
  });
}

/** Scaffolds the project of PROJECT twice: by the version that wrote it, and by the running one. */
export async function scaffoldVersions(
  io: Io,
  { loaded, own, spec, base, temporary }: UpdateSources,
): Promise<{ readonly base: ProjectFiles; readonly theirs: ProjectFiles }> {
  const [init = [], ...others] = await projectCommands(loaded, io.disk);
  const scaffold = async (name: string, tsop: TsopPackage, dependency: string): Promise<ProjectFiles> => {
    const folder = join(temporary, name);
    await mkdir(folder);
    const commands: CommandLine[] = [[...init, `--tsop=${dependency}`], ...others];
    await runTsop(io, tsop, { folder, commands });
    return readProjectFiles(folder, io);
  };
  const scaffoldBase = async (): Promise<ProjectFiles> => {
    // Compared with itself, it would have no change of its own, and lose all of them.
    if (base === loaded.root) throw new TsopError("TSOP_BASE_UNKNOWN", { reason: `${base} is the project itself` });
    const given = base === undefined ? undefined : await versionOf(base, io);
    if (base !== undefined && given === undefined) return readBase(io, base);
    const tsop =
      base === undefined || given === undefined
        ? await findRecordedPackage(io, { root: loaded.root, version: recordedVersion(loaded), temporary })
        : { root: base, version: given };
    return scaffold("base", tsop, (await currentSpec(io, loaded)) ?? `^${tsop.version}`);
  };
  const files = { base: await scaffoldBase(), theirs: await scaffold("theirs", own, spec) };
  return formatAsProject(io, files, { root: loaded.root, temporary });
}

async function readBase(io: Io, base: string): Promise<ProjectFiles> {
  const files = await readProjectFiles(resolve(base), io);
  if (files.has("PROJECT")) return files;
  throw new TsopError("TSOP_BASE_UNKNOWN", { reason: `${base} is neither a tsop package nor a project` });
}

function recordedVersion({ project }: LoadedProject): string {
  if (project.cliVersion !== undefined) return project.cliVersion;
  throw new TsopError("TSOP_BASE_UNKNOWN", { reason: "PROJECT has no cliVersion" });
}

/** Returns the project's tsop dependency. The base has the same one, so that the new one replaces it. */
async function currentSpec({ disk }: Io, { root }: LoadedProject): Promise<string | undefined> {
  const text = (await disk.read(join(root, "package.json"))) ?? "{}";
  return /"(?:d|devD)ependencies":\s*\{[^}]*"tsop":\s*"([^"]+)"/.exec(text)?.[1];
}

interface Versions {
  readonly base: ProjectFiles;
  readonly theirs: ProjectFiles;
}

/**
 * Formats base and theirs as the project's Prettier does, in files that are to be merged and are closer to this form: with
 * settings of the author, Prettier changes most lines, and each would be a change of the author.
 */
async function formatAsProject(
  { disk, run, signal }: Pick<Io, "disk" | "run" | "signal">,
  { base, theirs }: Versions,
  { root, temporary }: { readonly root: string; readonly temporary: string },
): Promise<Versions> {
  const merged: { readonly path: string; readonly ours: string }[] = [];
  for (const [path, text] of base) {
    const ours = await disk.read(join(root, path));
    const isMerged = ours !== undefined && ours !== text && theirs.has(path) && theirs.get(path) !== text;
    if (isMerged && path !== "package.json") merged.push({ path, ours });
  }
  const prettier = merged.length > 0 ? findPrettier(root) : undefined;
  if (prettier === undefined) return { base, theirs };

  const folder = join(temporary, "formatted");
  const place = (version: string, path: string): string => join(folder, version, path);
  for (const { path } of merged) {
    for (const [version, files] of Object.entries({ base, theirs })) {
      await disk.makeFolder(dirname(place(version, path)));
      await disk.write(place(version, path), files.get(path)!);
    }
  }
  const editorConfig = await disk.read(join(root, ".editorconfig"));
  if (editorConfig !== undefined) await disk.write(join(folder, ".editorconfig"), editorConfig);
  const found = await run(process.execPath, [prettier, "--find-config-path", "main.ts"], { cwd: root, signal });
  const config = found.exitCode === 0 ? ["--config", resolve(root, found.stdout.trim())] : ["--no-config"];
  const args = [prettier, ...config, "--write", "--ignore-unknown", "--log-level=silent", "."];
  const { exitCode } = await run(process.execPath, args, { cwd: folder, signal });
  if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  if (exitCode !== 0) return { base, theirs };

  const [formattedBase, formattedTheirs] = [new Map(base), new Map(theirs)];
  for (const { path, ours } of merged) {
    const text = (await disk.read(place("base", path)))!;
    if (countNewLines(ours, text) >= countNewLines(ours, base.get(path)!)) continue;
    formattedBase.set(path, text);
    formattedTheirs.set(path, (await disk.read(place("theirs", path)))!);
  }
  return { base: formattedBase, theirs: formattedTheirs };
}

/** Returns the number of lines that are not in another text. */
function countNewLines(text: string, other: string): number {
  const known = new Set(other.split("\n"));
  return text.split("\n").filter((line) => !known.has(line)).length;
}

/** Finds the project's Prettier, which a workspace may have in a folder above it. */
function findPrettier(root: string): string | undefined {
  try {
    return createRequire(join(root, "package.json")).resolve("prettier/bin/prettier.cjs");
  } catch {
    return undefined;
  }
}
