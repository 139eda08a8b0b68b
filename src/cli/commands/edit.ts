import { Command, Option } from "commander";
import { applyAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { changeFolder } from "../steps/change-folder.ts";
import type { Io } from "../io.ts";
import { licenseOptions } from "../flags/license-options.ts";
import { parseBoolean } from "../flags/parse-boolean.ts";

interface EditFlags extends WriteFlags {
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly license?: "apache2" | "none";
  readonly licenseFile?: string;
  readonly owner?: string;
  readonly plugins?: string;
  readonly make: boolean;
}

/** `tsop edit` */
export function editCommand(io: Io): Command {
  const command = new Command("edit")
    .description("change the project: API groups, watched namespaces, licence header")
    .option("--multigroup [bool]", "move kinds to api/<group>/<version>, or back", parseBoolean)
    .option("--namespaced [bool]", "watch only the operator's own namespace, or all namespaces", parseBoolean)
    .addOption(new Option("--license <license>", "licence header of new files").choices(["apache2", "none"]))
    .option("--license-file <path>", "file that contains your own licence header: one block comment")
    .option("--owner <owner>", "copyright holder in the licence header")
    .addOption(new Option("--plugins <keys>").hideHelp())
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      `
Examples:
  tsop edit --multigroup
  tsop edit --namespaced --dry-run
  tsop edit --license apache2 --owner "The Authors"`,
    )
    .action(async (flags: EditFlags) => {
      const [{ findProjectRoot }, { loadProject }, { planEdit }, { parsePlugins }, { UsageError }] = await Promise.all([
        import("../../project/find-project-root.ts"),
        import("../../project/load-project.ts"),
        import("../../scaffold/edit/plan-edit.ts"),
        import("../flags/go-words.ts"),
        import("../../errors/tsop-error.ts"),
      ]);
      parsePlugins(flags.plugins);
      const { multigroup, namespaced, license, licenseFile, owner } = flags;
      if ([multigroup, namespaced, license, licenseFile, owner].every((value) => value === undefined)) {
        throw new UsageError("nothing to change: give --multigroup, --namespaced, or --license");
      }
      const options = { ...flags, ...licenseOptions(io, flags) };
      const root = await findProjectRoot(io.cwd, io.disk);
      await changeFolder(io, { root, command: "tsop edit", flags }, async () => {
        const plan = await planEdit(await loadProject(io.cwd, io.disk), options, io.disk);
        const whole = flags.make ? await (await import("../steps/generate-after.ts")).generateAfter(io, plan) : plan;
        await applyAndReport(io, whole, flags);
      });
    });
  return writing(command);
}
