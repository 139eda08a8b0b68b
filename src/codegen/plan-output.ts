import { posix } from "node:path";
import type { Disk } from "../files/disk.ts";
import { followLineEnds } from "../files/line-ends.ts";
import type { FileChange, Plan } from "../files/plan.ts";
import { docsMark } from "./docs/generate-docs.ts";
import { versionAnnotation, type OutputFile } from "./generate-crds.ts";
import { generatedHeader, kindsFileName } from "./generate-kinds.ts";

interface Target {
  readonly root: string;
  readonly disk: Pick<Disk, "list" | "read">;
  readonly outputs: readonly string[];
  readonly crdFolder: string;
  readonly docsFolder: string;
  /** All TypeScript files of the project. */
  readonly paths: readonly string[];
}

/** Plans the changes on disk: files with another text, whose line ends stay, and generated files that no longer have a source. */
export async function planOutput(files: readonly OutputFile[], target: Target): Promise<Plan> {
  const { root, disk } = target;
  const changes = await Promise.all(files.map((file) => change(file, root, disk)));
  const removals = await removeStale(new Set(files.map(({ path }) => path)), target);
  return { root, changes: [...changes.filter((one) => one !== undefined), ...removals] };
}

async function change(file: OutputFile, root: string, disk: Pick<Disk, "read">): Promise<FileChange | undefined> {
  const before = await disk.read(posix.join(root, file.path));
  if (before === undefined) return { type: "create", ...file };
  if (before === file.text) return undefined;
  const text = followLineEnds(file.text, before);
  return before === text ? undefined : { type: "update", ...file, text, before };
}

/** Removes generated files only; a hand-written file stays. */
async function removeStale(written: ReadonlySet<string>, target: Target): Promise<FileChange[]> {
  const { root, disk, outputs, crdFolder, docsFolder, paths } = target;
  const crds = outputs.includes("crd") ? await disk.list(posix.join(root, crdFolder)) : [];
  const kinds = outputs.includes("kinds") ? paths.filter((path) => posix.basename(path) === kindsFileName) : [];
  const pages = outputs.includes("docs") ? await disk.list(posix.join(root, docsFolder)) : [];
  const candidates = [
    ...crds.map((name) => ({ path: `${crdFolder}/${name}`, mark: `\n    ${versionAnnotation}: ` })),
    ...kinds.map((path) => ({ path, mark: generatedHeader })),
    ...pages.map((name) => ({ path: `${docsFolder}/${name}`, mark: docsMark })),
  ].filter(({ path }) => !written.has(path));
  const texts = await Promise.all(candidates.map(({ path }) => disk.read(posix.join(root, path))));
  return candidates.flatMap(({ path, mark }, index) => {
    const before = texts[index];
    return before?.includes(mark) ? [{ type: "remove" as const, path, before }] : [];
  });
}
