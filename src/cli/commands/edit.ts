import { Command, Option } from "commander";
import { applyAndReport, writing, type WriteFlags } from "../apply-plan.ts";
import type { Io } from "../io.ts";
import { parseBoolean } from "../parse-boolean.ts";

interface EditFlags extends WriteFlags {
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly plugins?: string;
  readonly make: boolean;
}

/** `tsop edit` */
export function editCommand(io: Io): Command {
  const command = new Command("edit")
    .description("change the project: several groups, or a single namespace")
    .option("--multigroup [bool]", "move kinds to api/<group>/<version>, or back", parseBoolean)
    .option("--namespaced [bool]", "watch the operator's own namespace only, or all", parseBoolean)
    .addOption(new Option("--plugins <keys>").hideHelp())
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      "\nExamples:\n  tsop edit --multigroup\n  tsop edit --namespaced --dry-run\n  tsop edit --namespaced=false",
    )
    .action(async (flags: EditFlags) => {
      const [{ loadProject }, { planEdit }, { parsePlugins }, { UsageError }] = await Promise.all([
        import("../../project/load-project.ts"),
        import("../../scaffold/plan-edit.ts"),
        import("../go-words.ts"),
        import("../../errors/tsop-error.ts"),
      ]);
      parsePlugins(flags.plugins);
      if (flags.multigroup === undefined && flags.namespaced === undefined) {
        throw new UsageError("nothing to change: give --multigroup or --namespaced");
      }
      const plan = await planEdit(await loadProject(io.cwd, io.disk), flags, io.disk);
      const whole = flags.make ? await (await import("../generate-after.ts")).generateAfter(io, plan) : plan;
      await applyAndReport(io, whole, flags);
    });
  return writing(command);
}
