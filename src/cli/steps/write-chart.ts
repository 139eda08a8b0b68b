import { join, resolve } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import { checkOutput, planChart, type BuiltManifests } from "../../project/helm/plan-chart.ts";
import { loadProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { readStdin } from "../terminal/read-stdin.ts";
import { warnOfKept } from "../terminal/warn-of-kept.ts";
import { applyAndReport, type WriteFlags } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";

export interface ChartFlags extends WriteFlags {
  readonly manifests?: string;
  readonly outputDir?: string;
  readonly crdChart?: boolean;
}

const defaultManifests = "dist/install.yaml";

/** Writes the Helm chart of a project from the objects that kustomize builds. */
export async function writeChart(io: Io, root: string, flags: ChartFlags): Promise<void> {
  const outputDir =
    flags.outputDir === undefined ? undefined : relativePath(root, resolve(io.cwd, flags.outputDir)) || ".";
  if (outputDir !== undefined) checkOutput(outputDir);
  const manifests = await readBuilt(io, root, flags);
  await changeFolder(io, { root, command: "tsop edit", flags }, async () => {
    const options = { manifests, outputDir, crdChart: flags.crdChart, force: flags.force ?? false };
    const { plan, kept } = await planChart(await loadProject(root, io.disk), options, io.disk);
    await applyAndReport(io, plan, flags);
    warnOfKept(io, "helm", kept);
  });
}

/**
 * Reads the objects that kustomize has built. Without the flag, `make` builds it first, before the project is locked.
 */
async function readBuilt(io: Io, root: string, { manifests, dryRun }: ChartFlags): Promise<BuiltManifests> {
  if (manifests === "-") return { text: await readStdin(io), file: "standard input", isFile: false };
  if (manifests === undefined && !dryRun) await build(io, root);
  const path = manifests === undefined ? join(root, defaultManifests) : resolve(io.cwd, manifests);
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
