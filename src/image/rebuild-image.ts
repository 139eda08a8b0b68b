import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { isDigest } from "../oci/manifest.ts";
import { findPackageManager, packageManagerWords } from "../project/scaffold/init/package-manager.ts";
import { buildImage, type BuildOptions, type BuildTools } from "./build-image.ts";
import type { Verdict, PublishedImage } from "./verify-image.ts";

export interface RebuildOptions extends Omit<BuildOptions, "created"> {
  /** An empty folder. */
  readonly folder: string;
}

/**
 * Builds an image again from its commit, in a clone of the project's repository with the packages of the lock file, and
 * compares the digests.
 */
export async function rebuildImage(
  { digest, origin }: PublishedImage,
  options: RebuildOptions,
  tools: BuildTools,
): Promise<Verdict> {
  const rule = "a clean checkout gives the same image";
  const fail = (failure: string): Verdict => ({ rule, failure });
  const { commit, isChanged, baseDigest = "", created = "" } = origin ?? {};
  if (!commit || !isDigest(baseDigest) || Number.isNaN(Date.parse(created)))
    return fail("the provenance names no commit, no base or no time");
  if (isChanged) return fail("it was built from files that were not committed");
  const { root, folder, signal } = options;
  const must = async (cwd: string, program: string, ...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await tools.host.run(program, args, { cwd, signal });
    if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
    const command = [program, ...args].join(" ");
    if (exitCode !== 0)
      throw new TsopError("TSOP_IMAGE_REBUILD", { command, reason: stderr.trim() || `exit ${exitCode}` });
    return stdout.trim();
  };
  const [repository, prefix] = [
    await must(root, "git", "rev-parse", "--show-toplevel"),
    await must(root, "git", "rev-parse", "--show-prefix"),
  ];
  await must(folder, "git", "clone", "--quiet", "--no-checkout", repository, ".");
  await must(folder, "git", "checkout", "--quiet", "--detach", commit);
  const project = join(folder, prefix);
  const manager = await findPackageManager(project, tools.host.disk);
  const [program = "", ...args] = packageManagerWords[manager].installLocked.split(" ");
  await must(project, program, ...args);
  const rebuilt = await buildImage({ ...options, root: project, baseDigest, created: new Date(created) }, tools);
  const found = rebuilt.image.root.descriptor.digest;
  return found === digest ? { rule } : fail(`commit ${commit} gives ${found}`);
}
