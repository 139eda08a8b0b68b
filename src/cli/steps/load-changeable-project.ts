import type { Plan } from "../../files/plan.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { compareSemver, parseSemver } from "../../olm/semver.ts";
import { loadProject, type LoadedProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";

/**
 * Loads the project for a command that writes templates. Refuses one of a newer tsop: an update would take templates back,
 * and the next one would merge older templates as changes of the author.
 */
export async function loadChangeableProject({ cwd, disk }: Pick<Io, "cwd" | "disk">): Promise<LoadedProject> {
  const loaded = await loadProject(cwd, disk);
  const recorded = loaded.project.cliVersion;
  const { version } = await loadOwnPackage(disk);
  const [theirs, own] = [parseSemver(recorded ?? ""), parseSemver(version)];
  if (recorded !== undefined && theirs && own && compareSemver(theirs, own) > 0)
    throw new TsopError("TSOP_PROJECT_NEWER", { recorded, version });
  return loaded;
}

/** Plans a change of the project, with the output of the generators unless `--make=false`. */
export async function planChange(
  io: Pick<Io, "cwd" | "disk" | "stderr">,
  { make }: { readonly make: boolean },
  plan: (loaded: LoadedProject) => Promise<Plan>,
): Promise<Plan> {
  const planned = await plan(await loadChangeableProject(io));
  return make ? (await import("./generate.ts")).generateAfter(io, planned) : planned;
}
