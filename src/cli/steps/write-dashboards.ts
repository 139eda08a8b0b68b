import { planDashboards } from "../../project/grafana/plan-dashboards.ts";
import { loadProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { warnOfKept } from "../terminal/warn-of-kept.ts";
import { applyAndReport, type WriteFlags } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";

/** Writes the Grafana dashboards of a project. */
export async function writeDashboards(io: Io, root: string, flags: WriteFlags): Promise<void> {
  await changeFolder(io, { root, command: "tsop edit", flags }, async () => {
    const loaded = await loadProject(root, io.disk);
    const { plan, kept } = await planDashboards(loaded, { force: flags.force ?? false }, io.disk);
    await applyAndReport(io, plan, flags);
    warnOfKept(io, "grafana", kept);
  });
}
