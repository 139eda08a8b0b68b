import { loadProject } from "../../project/load-project.ts";
import { planSharding } from "../../project/scaffold/edit/plan-sharding.ts";
import type { Io } from "../io.ts";
import { warnOfKept } from "../terminal/warn-of-kept.ts";
import { applyAndReport, type WriteFlags } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";

export interface ShardingFlags extends WriteFlags {
  readonly remove?: boolean;
}

/** Makes the operator of a project a ring of shards, or undoes it. */
export async function writeSharding(io: Io, root: string, flags: ShardingFlags): Promise<void> {
  await changeFolder(io, { root, command: "tsop edit", flags }, async () => {
    const loaded = await loadProject(root, io.disk);
    const { force = false, remove = false } = flags;
    const { plan, kept } = await planSharding(loaded, { force, remove }, io.disk);
    await applyAndReport(io, plan, flags);
    warnOfKept(io, remove ? "sharding --remove" : "sharding", kept);
  });
}
