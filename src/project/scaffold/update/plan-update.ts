import { posix } from "node:path";
import type { Disk } from "../../../files/disk.ts";
import type { FileChange, Plan } from "../../../files/plan.ts";
import { isBelow } from "../../../files/slashes.ts";
import type { LoadedProject } from "../../load-project.ts";
import { recordProject } from "../../parse-project.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import { mergeFile, type FileNote, type MergeFileOptions } from "./merge-file.ts";
import { formatLike } from "./merge-package.ts";

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
  disk: Pick<Disk, "read" | "realPath">,
): Promise<Update> {
  const realRoot = await disk.realPath(root);
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter((path) => !isGenerated(path)).toSorted();
  const merged = await Promise.all(
    paths.map(async (path) => {
      const file = posix.join(root, path);
      const ours = await disk.read(file);
      const merged = mergeFile({ path, base: base.get(path), ours, theirs: theirs.get(path) }, { labels });
      // A link may have come with the project, and name a file whose text must not become one of the project.
      const isOutside = ours !== undefined && !isBelow(realRoot, await disk.realPath(file));
      return merged.change && isOutside ? { note: linkNote(path) } : merged;
    }),
  );
  const changes: FileChange[] = merged.flatMap(({ change }) => (change ? [change] : []));
  changes.push(...(await planLock({ root, version }, disk)));
  changes.push(...recordProject({ ...project, cliVersion: version }, text));
  return { plan: { root, changes }, notes: merged.flatMap(({ note }) => (note ? [note] : [])) };
}

function linkNote(path: string): FileNote {
  return { path, conflicts: [], text: "it is a link out of the project: it stays, although its template has changed" };
}

/**
 * Removes tsop from the lock of npm if it has the version of the running one: npm would keep what is installed, which is
 * another build of this version.
 */
async function planLock(
  { root, version }: { readonly root: string; readonly version: string },
  disk: Pick<Disk, "read">,
): Promise<FileChange[]> {
  const path = "package-lock.json";
  const before = await disk.read(posix.join(root, path));
  const lock = before === undefined ? undefined : parseJsonObjectOrUndefined(before);
  const packages = lock?.["packages"];
  const locked = isObject(packages) ? packages["node_modules/tsop"] : undefined;
  if (before === undefined || !isObject(locked) || locked["version"] !== version) return [];
  const { "node_modules/tsop": _, ...others } = packages as object & { "node_modules/tsop": unknown };
  return [{ type: "update", path, text: formatLike(before, { ...lock, packages: others }), before }];
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
