import { resolve } from "node:path";
import { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { FileNote } from "../../project/scaffold/update/merge-file.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { applyAndReport, writing, changeFolder, type WriteFlags } from "../steps/apply-plan.ts";

interface UpdateFlags extends WriteFlags {
  readonly base?: string;
  readonly tsop?: string;
}

/** `tsop update` */
export function updateCommand(io: Io): Command {
  const command = new Command("update")
    .description("bring the project to the templates of this tsop: a three-way merge that keeps your changes")
    .option("--base <dir>", "package of the tsop that wrote the project, or the project as that tsop scaffolds it")
    .option("--tsop <spec>", "tsop dependency in package.json: a version, file:… or URL (default: the running tsop)")
    .option("--force", "update a project with changes that are not committed")
    .addHelpText(
      "after",
      `
Examples:
  npx tsop@latest update --dry-run      # show the changes
  npx tsop@latest update`,
    )
    .action(async (flags: UpdateFlags) => {
      const { loadChangeableProject } = await import("../steps/load-changeable-project.ts");
      const { planUpdate } = await import("../../project/scaffold/update/plan-update.ts");
      const { findPackageManager } = await import("../../project/scaffold/init/package-manager.ts");
      const { tsopSource, packIntoVendor } = await import("../package/tsop-spec.ts");
      const { isUpToDate, scaffoldVersions } = await import("../steps/update-files.ts");
      const { withTemporaryFolder } = await import("../steps/run-tsop.ts");
      const loaded = await loadChangeableProject(io);
      const { root } = loaded;
      const own = await loadOwnPackage(io.disk);
      const { version } = own;
      if (flags.base === undefined && (await isUpToDate(io, loaded, own))) {
        io.stderr.write(`The project is up to date: PROJECT records tsop ${version}.\n`);
        return;
      }
      if (!flags.force && !flags.dryRun) await refuseDirtyTree(io, root);
      const source = tsopSource(own, flags.tsop);
      const install = `${await findPackageManager(root, io.disk)} install`;
      const base = flags.base === undefined ? undefined : resolve(io.cwd, flags.base);
      await withTemporaryFolder(async (temporary) => {
        const files = await scaffoldVersions(io, { loaded, own, spec: source.spec, base, temporary });
        const labels = { ours: "yours", theirs: `tsop ${version}` };
        await changeFolder(io, { root, command: "tsop update", flags }, async () => {
          const now = await loadChangeableProject(io);
          const { plan, notes } = await planUpdate(now, { ...files, version, labels }, io.disk);
          const apply = (): ReturnType<typeof applyAndReport> =>
            applyAndReport(io, plan, flags.dryRun ? { dryRun: true } : {});
          await (source.pack && !flags.dryRun ? packIntoVendor(io, { own, root }, apply) : apply());
          report(io, notes, { ...flags, install });
        });
      });
      if (!flags.dryRun)
        io.stderr.write(`\nUpdated to tsop ${version}. Next:\n  ${install} && make generate manifests test\n`);
    });
  return writing(command);
}

/** Prints the notes. Conflicts are an error after a write, as for `git merge`. */
function report(
  io: Io,
  notes: readonly FileNote[],
  { dryRun, install }: Pick<UpdateFlags, "dryRun"> & { readonly install: string },
): void {
  const conflicts = notes.flatMap(({ path, conflicts: lines }) => lines.map((line) => `  ${path}:${line}`));
  for (const { path, text, conflicts: lines } of notes)
    if (lines.length === 0) io.stderr.write(`  note: ${path}: ${text}\n`);
  if (conflicts.length === 0) return;
  const places = conflicts.join("\n");
  if (!dryRun) throw new TsopError("TSOP_UPDATE_CONFLICTS", { places, install });
  io.stderr.write(`These places would need a decision:\n${places}\n`);
}

/** Refuses a project with changes, of which git could not restore the lines. A project without git has no such help. */
async function refuseDirtyTree(io: Io, root: string): Promise<void> {
  const { exitCode, stdout } = await io.run("git", ["status", "--porcelain", "--", "."], { cwd: root });
  if (exitCode !== 0) io.stderr.write(`warning: ${root} is not under git, which could take the update back\n`);
  if (exitCode !== 0 || stdout.trim() === "") return;
  const files = stdout.trimEnd().split("\n").slice(0, 10);
  throw new TsopError("TSOP_TREE_DIRTY", { root, files: files.map((line) => `  ${line.trim()}`).join("\n") });
}
