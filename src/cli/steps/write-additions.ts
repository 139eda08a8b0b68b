import { join, resolve } from "node:path";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Plan } from "../../files/plan.ts";
import { relativePath } from "../../files/slashes.ts";
import { planDashboards } from "../../project/grafana/plan-dashboards.ts";
import { chartKey, checkOutput, planChart, type BuiltManifests } from "../../project/helm/plan-chart.ts";
import { loadProject, type LoadedProject } from "../../project/load-project.ts";
import { planSharding } from "../../project/scaffold/edit/plan-sharding.ts";
import { isWorkflow, planWorkflows } from "../../project/scaffold/edit/plan-workflows.ts";
import type { Addition } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { readStdin } from "../terminal/read-stdin.ts";
import { applyAndReport, changeFolder, type WriteFlags } from "./apply-plan.ts";

export interface AdditionFlags extends WriteFlags {
  readonly manifests?: string;
  readonly outputDir?: string;
  readonly crdChart?: boolean;
  readonly remove?: boolean;
}

/** Writes additions of a project again, or removes those that can be removed: chart, dashboards, sharding, workflows. */
export async function writeAdditions(
  io: Io,
  { root, additions }: { readonly root: string; readonly additions: readonly Addition[] },
  flags: AdditionFlags,
): Promise<void> {
  const { force = false, remove = false } = flags;
  const write = (name: string, planAddition: (loaded: LoadedProject) => Promise<Planned>): Promise<void> =>
    changeFolder(io, { root, command: "tsop edit", flags }, async () => {
      const { plan, kept } = await planAddition(await loadProject(root, io.disk));
      await applyAndReport(io, plan, flags);
      const show = `tsop edit --plugins ${name}${remove ? " --remove" : ""} --force --dry-run`;
      for (const path of kept)
        io.stderr.write(`warning: ${path} was edited by hand and stays; to see what would be new: ${show}\n`);
    });
  if (additions.includes("helm")) {
    const chart = await chartOptions(io, root, flags);
    await write("helm", (loaded) => planChart(loaded, { ...chart, force }, io.disk));
  }
  if (additions.includes("grafana")) await write("grafana", (loaded) => planDashboards(loaded, { force }, io.disk));
  if (additions.includes("sharding"))
    await write("sharding", (loaded) => planSharding(loaded, { force, remove }, io.disk));
  const names = additions.filter(isWorkflow);
  if (names.length === 0) return;
  await write(names.join(), (loaded) => {
    // A dry run does not record the chart in PROJECT.
    const hasChart = additions.includes("helm") || loaded.project.plugins?.[chartKey] !== undefined;
    if (!remove && names.includes("test-chart") && !hasChart)
      throw new UsageError("test-chart needs the chart: tsop edit --plugins helm,test-chart");
    return planWorkflows(loaded, { names, remove, force }, io.disk);
  });
}

/** A plan, and the files that were edited by hand, and that tsop would now write in another way. */
interface Planned {
  readonly plan: Plan;
  readonly kept: readonly string[];
}

interface ChosenChart {
  readonly manifests: BuiltManifests;
  readonly outputDir: string | undefined;
  readonly crdChart: boolean | undefined;
}

async function chartOptions(io: Io, root: string, flags: AdditionFlags): Promise<ChosenChart> {
  const outputDir =
    flags.outputDir === undefined ? undefined : relativePath(root, resolve(io.cwd, flags.outputDir)) || ".";
  if (outputDir !== undefined) checkOutput(outputDir);
  return { manifests: await readBuilt(io, root, flags), outputDir, crdChart: flags.crdChart };
}

/**
 * Reads the objects that kustomize has built. Without the flag, `make` builds it first, before the project is locked.
 */
async function readBuilt(io: Io, root: string, { manifests, dryRun }: AdditionFlags): Promise<BuiltManifests> {
  if (manifests === "-") return { text: await readStdin(io), file: "standard input", isFile: false };
  if (manifests === undefined && !dryRun) await build(io, root);
  const path = manifests === undefined ? join(root, "dist/install.yaml") : resolve(io.cwd, manifests);
  const file = relativePath(root, path);
  const text = await io.disk.read(path);
  if (text === undefined)
    throw new TsopError("TSOP_HELM_MANIFESTS", { reason: `there is no file ${JSON.stringify(file)}` });
  return { text, file, isFile: true };
}

async function build(io: Io, root: string): Promise<void> {
  io.stderr.write("make build-installer\n");
  const { exitCode, stdout, stderr } = await io.run("make", ["build-installer"], { cwd: root, signal: io.signal });
  if (exitCode === 0) return;
  const reason =
    exitCode === 127 ? "make is not installed" : `make build-installer failed:\n${stdout}${stderr}`.trimEnd();
  throw new TsopError("TSOP_HELM_MANIFESTS", { reason });
}
