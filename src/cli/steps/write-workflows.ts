import { UsageError } from "../../errors/tsop-error.ts";
import { chartKey } from "../../project/helm/plan-chart.ts";
import { loadProject } from "../../project/load-project.ts";
import { planWorkflows, type Workflow } from "../../project/scaffold/edit/plan-workflows.ts";
import type { Io } from "../io.ts";
import { warnOfKept } from "../terminal/warn-of-kept.ts";
import { applyAndReport, type WriteFlags } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";

export interface WorkflowFlags extends WriteFlags {
  readonly remove?: boolean;
}

interface WantedWorkflows {
  readonly root: string;
  readonly names: readonly Workflow[];
  /** True if the same command writes the chart, which PROJECT does not record in a dry run. */
  readonly withChart: boolean;
}

/** Adds workflows of GitHub to a project, or removes them. */
export async function writeWorkflows(
  io: Io,
  { root, names, withChart }: WantedWorkflows,
  flags: WorkflowFlags,
): Promise<void> {
  await changeFolder(io, { root, command: "tsop edit", flags }, async () => {
    const { force = false, remove = false } = flags;
    const loaded = await loadProject(root, io.disk);
    const hasChart = withChart || loaded.project.plugins?.[chartKey] !== undefined;
    if (!remove && names.includes("test-chart") && !hasChart)
      throw new UsageError("test-chart needs the chart: tsop edit --plugins helm,test-chart");
    const { plan, kept } = await planWorkflows(loaded, { names, remove, force }, io.disk);
    await applyAndReport(io, plan, flags);
    warnOfKept(io, names.join(), kept);
  });
}
