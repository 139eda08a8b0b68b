import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ProjectFiles } from "../../project/scaffold/update/plan-update.ts";
import type { Io } from "../io.ts";

interface Versions {
  readonly base: ProjectFiles;
  readonly theirs: ProjectFiles;
}

/**
 * Formats base and theirs as the project's Prettier does, in files that are to be merged and are closer to this form: with
 * settings of the author, Prettier changes most lines, and each would be a change of the author.
 */
export async function formatAsProject(
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
