import { posix } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import type { Resource } from "../../project/project.ts";
import { isEdited } from "../../files/edited.ts";

export interface RemovalOptions {
  readonly root: string;
  readonly disk: Pick<Disk, "read" | "list">;
  /** Also removes types that were edited by hand. */
  readonly force: boolean;
}

/**
 * Plans the removal of the types of a foreign kind, and of the generated files around them if no other kind needs them.
 */
export async function planTypesRemoval({ kind, path }: Resource, options: RemovalOptions): Promise<Plan> {
  const { root, disk, force } = options;
  const folder = posix.dirname(path ?? "");
  const types = `${kind.toLowerCase()}_types.ts`;
  const files = await disk.list(posix.join(root, folder));
  // The types of a package are not the project's.
  if (path === undefined || !files.includes(types)) return { root, changes: [] };
  const isLast = !files.some((file) => file.endsWith("_types.ts") && file !== types);
  const beside = isLast ? ["groupversion_info.ts", posix.basename(path)] : [];
  const removed = [types, ...beside.filter((file) => files.includes(file))];
  const changes = await Promise.all(
    removed.map(async (file): Promise<FileChange> => {
      const relative = posix.join(folder, file);
      return { type: "remove", path: relative, before: (await disk.read(posix.join(root, relative))) ?? "" };
    }),
  );
  const [first] = changes;
  if (!force && first?.type === "remove" && isEdited(first.before))
    throw new TsopError("TSOP_EDITED_FILES", { files: `  ${first.path}` });
  return { root, changes };
}
