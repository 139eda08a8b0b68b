import { join, normalize } from "node:path";
import type { Disk } from "./disk.ts";
import type { FileChange, Plan } from "./plan.ts";
import { isBelow, relativePath } from "./slashes.ts";

/** The disk as it will be after a plan, as the base of another plan. It can be read only. */
export function withPlan(disk: Disk, plan: Plan): Disk {
  const changes = new Map(plan.changes.map((change) => [join(plan.root, change.path), change]));
  const refuse = async (): Promise<never> => {
    throw new Error("a disk with a plan is read-only");
  };
  return {
    async read(path) {
      const change = changes.get(normalize(path));
      if (!change) return disk.read(path);
      const current = change.type === "create" && change.ifExists === "keep" ? await disk.read(path) : undefined;
      return current ?? (change.type === "remove" ? undefined : change.text);
    },
    async list(folder, options) {
      const isSkipped = (path: string): boolean => path.split("/").some((name) => options?.skip?.(name));
      const paths = new Set(await disk.list(folder, options));
      for (const [absolute, change] of changes) {
        if (!isBelow(folder, absolute)) continue;
        const path = relativePath(folder, absolute);
        if (change.type === "remove") paths.delete(path);
        else if (!isSkipped(path)) paths.add(path);
      }
      return [...paths].toSorted();
    },
    realPath: (path) => disk.realPath(path),
    write: refuse,
    remove: refuse,
    makeFolder: refuse,
    removeEmptyFolder: refuse,
    rename: refuse,
    link: refuse,
  };
}

/** Joins two plans for the same root; the second was made on the disk with the first. */
export function joinPlans(first: Plan, second: Plan): Plan {
  const changes = new Map<string, FileChange>(first.changes.map((change) => [change.path, change]));
  for (const change of second.changes) {
    const earlier = changes.get(change.path);
    if (!earlier) changes.set(change.path, change);
    else if (change.type !== "remove") changes.set(change.path, onTop(earlier, change.text));
    else if (earlier.type === "create") changes.delete(change.path);
    else changes.set(change.path, { ...change, before: earlier.before });
  }
  return { ...first, changes: [...changes.values()] };
}

function onTop(earlier: FileChange, text: string): FileChange {
  return earlier.type === "remove" ? { ...earlier, type: "update", text } : { ...earlier, text };
}
