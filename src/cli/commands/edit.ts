import { Command, Option } from "commander";
import { UsageError } from "../../errors/tsop-error.ts";
import { changeAndReport, writing } from "../steps/apply-plan.ts";
import type { EditOptions } from "../../project/scaffold/edit/plan-edit.ts";
import type { AdditionFlags } from "../steps/write-additions.ts";
import type { Io } from "../io.ts";
import { licenseOptions } from "../flags/license-options.ts";
import { collectList, parseBoolean } from "../flags/parse-values.ts";

interface EditFlags extends AdditionFlags, Omit<EditOptions, "year"> {
  readonly plugins?: readonly string[];
  readonly make: boolean;
}

/** `tsop edit` */
export function editCommand(io: Io): Command {
  const command = new Command("edit")
    .description(
      "change the project: API groups, watched namespaces, licence header, chart, dashboards, sharding, workflows",
    )
    .option("--multigroup [bool]", "move kinds to api/<group>/<version>, or back", parseBoolean)
    .option("--namespaced [bool]", "watch only the operator's own namespace, or all namespaces", parseBoolean)
    .addOption(new Option("--license <license>", "licence header of new files").choices(["apache2", "none"]))
    .option("--license-file <path>", "file with your own licence header: one block comment")
    .option("--owner <owner>", "copyright holder in the licence header")
    .option(
      "--plugins <names>",
      "add, or write again: helm (a chart of config/default), grafana (dashboards), sharding (replicas share the objects), " +
        "or workflows of GitHub: release, pull-request (reports what it changes), autoupdate (weekly tsop update), test-chart",
      collectList,
    )
    .option("--remove", "sharding and workflows: remove what was added")
    .option(
      "--manifests <file>",
      "helm: what kustomize has built, - for standard input (default: make build-installer)",
    )
    .option("--output-dir <folder>", "helm: the folder that gets the folder chart (default: as before, or dist)")
    .option("--crd-chart [bool]", "helm: write a chart of the CRDs as well, into the folder crd-chart", parseBoolean)
    .option("--force", "with --plugins: overwrite or remove files that were edited by hand")
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      `
Examples:
  tsop edit --multigroup
  tsop edit --namespaced --dry-run
  tsop edit --license apache2 --owner "The Authors"
  tsop edit --plugins helm
  tsop edit --plugins release,pull-request
  kubectl kustomize config/default | tsop edit --plugins helm --manifests -`,
    )
    .action(async (flags: EditFlags) => {
      const { findProjectRoot } = await import("../../project/load-project.ts");
      const { isWorkflow } = await import("../../project/scaffold/edit/plan-workflows.ts");
      const { parseAdditions } = await import("../flags/go-words.ts");
      const additions = parseAdditions(flags.plugins);
      const { multigroup, namespaced, license, licenseFile, owner } = flags;
      const isChanged = [multigroup, namespaced, license, licenseFile, owner].some((value) => value !== undefined);
      if (!isChanged && additions.length === 0) {
        throw new UsageError("nothing to change: give --multigroup, --namespaced, --license, or --plugins");
      }
      if (isChanged && additions.length > 0) {
        throw new UsageError("--plugins excludes the other changes: give it in a command of its own");
      }
      const removable = additions.every((name) => name === "sharding" || isWorkflow(name));
      if (flags.remove && (additions.length === 0 || !removable)) {
        throw new UsageError("--remove goes with --plugins sharding and those of workflows");
      }
      const ofHelm = { "--manifests": flags.manifests, "--output-dir": flags.outputDir, "--crd-chart": flags.crdChart };
      for (const [flag, value] of Object.entries(ofHelm))
        if (value !== undefined && !additions.includes("helm"))
          throw new UsageError(`${flag} goes with --plugins helm`);
      if (flags.force && additions.length === 0) throw new UsageError("--force goes with --plugins");
      const options = { ...flags, ...licenseOptions(io, flags) };
      const root = await findProjectRoot(io.cwd, io.disk);
      if (additions.length > 0)
        return (await import("../steps/write-additions.ts")).writeAdditions(io, { root, additions }, flags);
      const { planEdit } = await import("../../project/scaffold/edit/plan-edit.ts");
      const { planChange } = await import("../steps/load-changeable-project.ts");
      let renamed: readonly string[] = [];
      await changeAndReport(io, { root, command: "tsop edit", flags }, () =>
        planChange(io, flags, async (loaded) => {
          const edited = await planEdit(loaded, options, io.disk);
          ({ renamed } = edited);
          return edited.plan;
        }),
      );
      if (renamed.length === 0) return;
      io.stderr.write(`\nRenamed, which metrics, alerts, events and bindings may refer to:\n`);
      for (const name of new Set(renamed)) io.stderr.write(`  ${name}\n`);
    });
  return writing(command);
}
