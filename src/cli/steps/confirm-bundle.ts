import { join, resolve } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { packageOf, type RunnableBundle } from "../../olm/cluster/run-catalog.ts";
import { loadProject, type LoadedProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { confirmOrRefuse } from "./confirm-or-refuse.ts";
import type { Container } from "../../olm/csv/csv.ts";
import type { Bundle } from "../../olm/bundle/bundle.ts";

export interface ConfirmedBundle {
  readonly runnable: RunnableBundle;
  /** The bundle as the user named it. */
  readonly name: string;
  readonly command: "run bundle" | "run bundle-upgrade";
  /** The flag that agrees in advance. */
  readonly yes: true | undefined;
}

/** Prints what a bundle that is not the project's own would run, and asks unless the user agrees in advance. */
export async function confirmBundle(io: Io, { runnable, name, command, yes }: ConfirmedBundle): Promise<void> {
  if (await isOwn(io, { runnable, name })) return;
  const packageName = packageOf(runnable.bundle);
  const lines = [
    `${name}, of package ${JSON.stringify(packageName)}, is not the bundle of this project. It runs:`,
    ...listPrograms(runnable.bundle),
    "Without a cluster, this project's operator runs instead of a container named manager, with those arguments and",
    "variables that OLM sets or config/ names, too.",
  ];
  for (const line of lines) io.stderr.write(`${line}\n`);
  if (yes) return;
  const refuse = new TsopError("TSOP_BUNDLE_FOREIGN", { bundle: name, command });
  await confirmOrRefuse(io, { lines: [], message: "Run this bundle?", flag: "--yes", refuse });
}

/**
 * Reports whether a bundle is the one that `make bundle` writes: the folder `bundle` of the project, not a link to another
 * one, with the package that has the project's name. Whatever a registry sends is somebody else's.
 */
async function isOwn(
  { cwd, disk }: Io,
  { runnable: { bundle, image }, name }: Pick<ConfirmedBundle, "runnable" | "name">,
): Promise<boolean> {
  const loaded = image === "" ? await projectIfAny({ cwd, disk }) : undefined;
  if (!loaded || packageOf(bundle) !== loaded.project.projectName) return false;
  return (await disk.realPath(resolve(cwd, name))) === join(await disk.realPath(loaded.root), "bundle");
}

/** Returns the project of the current folder. On a cluster, a bundle runs without one, or in a project of another language. */
async function projectIfAny({ cwd, disk }: Pick<Io, "cwd" | "disk">): Promise<LoadedProject | undefined> {
  try {
    return await loadProject(cwd, disk);
  } catch (error) {
    if (error instanceof TsopError) return undefined;
    throw error;
  }
}

/**
 * Returns what the deployments of a bundle run, as lines: image, command, arguments and variables of each container.
 * Values are quoted, so that none looks like a line of its own.
 */
function listPrograms({ csv }: Bundle): string[] {
  const deployments = csv.spec.install?.spec?.deployments ?? [];
  return deployments.flatMap(({ name, spec }) => {
    const { initContainers = [], containers = [] } = spec.template?.spec ?? {};
    const all = [...initContainers, ...containers];
    return all.flatMap((container) => [
      `deployment ${JSON.stringify(name)}, container ${JSON.stringify(container.name)}`,
      ...listFields(container).map((line) => `  ${line}`),
    ]);
  });
}

function listFields({ image, command, args, env = [], envFrom }: Container): string[] {
  const fields = Object.entries({ image, command, args, envFrom }).filter(([, value]) => value !== undefined);
  const variables = env.map((variable) => [
    `env ${JSON.stringify(variable.name)}`,
    variable.value ?? variable.valueFrom,
  ]);
  return [...fields, ...variables].map(([name, value]) => `${String(name)}: ${JSON.stringify(value ?? "")}`);
}
