import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { checkInside } from "./check-inside.ts";
import type { Disk } from "./disk.ts";
import type { FileChange, Plan } from "./plan.ts";

/** A change with the current state of the disk. */
export interface SettledChange {
  readonly change: FileChange;
  /** The text on disk; `undefined` if there is no such file. */
  readonly current: string | undefined;
  /** True if the disk would change. */
  readonly needed: boolean;
  /** True if the disk holds a text that the plan does not expect. */
  readonly conflict: boolean;
}

/** Compares a plan with the disk; the result is in path order. A plan that leaves its root is an error. */
export async function settlePlan(plan: Plan, disk: Disk): Promise<SettledChange[]> {
  const changes = plan.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const twice = changes.find((change, index) => change.path === changes[index + 1]?.path);
  if (twice) throw new Error(`the plan has two changes for ${twice.path}`);
  await checkInside(
    plan.root,
    changes.map(({ path }) => path),
    disk,
    plan.outside,
  );
  return Promise.all(
    changes.map(async (change) => {
      const current = await disk.read(join(plan.root, change.path));
      return { change, current, ...judge(change, current) };
    }),
  );
}

/** Throws an error that lists the conflicts. */
export function refuseConflicts(settled: readonly SettledChange[]): void {
  const conflicts = settled.filter(({ conflict }) => conflict);
  if (conflicts.length === 0) return;
  throw new TsopError("TSOP_FILES_EXIST", { files: conflicts.map(({ change }) => `  ${change.path}`).join("\n") });
}

function judge(change: FileChange, current: string | undefined): { needed: boolean; conflict: boolean } {
  if (change.type === "remove") {
    return { needed: current !== undefined, conflict: current !== undefined && current !== change.before };
  }
  // Binary files can differ although their decoded texts are equal.
  const isText = change.type === "update" || change.bytes === undefined;
  if (isText && current === change.text) return { needed: false, conflict: false };
  if (change.type === "update") return { needed: true, conflict: current !== change.before };
  if (current === undefined || change.ifExists === "overwrite") return { needed: true, conflict: false };
  if (change.ifExists === "keep") return { needed: false, conflict: false };
  return { needed: true, conflict: true };
}
