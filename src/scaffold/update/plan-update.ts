import { posix } from "node:path";
import type { Disk } from "../../files/disk.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import { formatProject } from "../../project/parse-project.ts";
import { mergeFile, type FileNote, type MergeFileOptions } from "./merge-file.ts";

/** The files of a scaffolded project: path → text. */
export type ProjectFiles = ReadonlyMap<string, string>;

export interface UpdateOptions extends MergeFileOptions {
  /** The project as the recorded version scaffolds it, and as the running one does. */
  readonly base: ProjectFiles;
  readonly theirs: ProjectFiles;
  /** The running version. */
  readonly version: string;
}

export interface Update {
  readonly plan: Plan;
  /** Conflicts and files that need a decision of the author, in path order. */
  readonly notes: readonly FileNote[];
}

/** Plans the changes that bring a project to the templates of the running tsop: a three-way merge of each file. */
export async function planUpdate(
  { root, project, text }: LoadedProject,
  { base, theirs, version, labels }: UpdateOptions,
  disk: Pick<Disk, "read">,
): Promise<Update> {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter((path) => !isGenerated(path)).toSorted();
  const merged = await Promise.all(
    paths.map(async (path) => {
      const ours = await disk.read(posix.join(root, path));
      return mergeFile({ path, base: base.get(path), ours, theirs: theirs.get(path) }, { labels });
    }),
  );
  const changes: FileChange[] = merged.flatMap(({ change }) => (change ? [change] : []));
  const recorded = formatProject({ ...project, cliVersion: version }, text);
  if (recorded !== text) changes.push({ type: "update", path: "PROJECT", text: recorded, before: text });
  return { plan: { root, changes }, notes: merged.flatMap(({ note }) => (note ? [note] : [])) };
}

/**
 * PROJECT is edited in place, locks are the package manager's, and the generators write their files from the project's
 * code.
 */
function isGenerated(path: string): boolean {
  return (
    ["PROJECT", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"].includes(path) ||
    /^config\/(crd\/bases\/.*|rbac\/role\.yaml|webhook\/manifests\.yaml)$/.test(path) ||
    posix.basename(path) === "zz_generated.kinds.ts"
  );
}
