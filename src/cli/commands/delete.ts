import { Command } from "commander";
import type { Plan } from "../../files/plan.ts";
import { joinPlans } from "../../files/with-plan.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import { changeAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import type { Io } from "../io.ts";
import { parseBoolean } from "../flags/parse-values.ts";

interface DeleteFlags extends WriteFlags {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly yes?: boolean;
  readonly make: boolean;
}

interface DeleteWebhookFlags extends DeleteFlags {
  readonly defaulting?: boolean;
  readonly programmaticValidation?: boolean;
  readonly conversion?: boolean;
}

/** `tsop delete api` */
export function deleteApiCommand(io: Io): Command {
  return deleting(new Command("api"), "remove a kind: its types, controllers, samples and roles")
    .addHelpText(
      "after",
      `
Examples:
  tsop delete api --group cache --kind Memcached --dry-run
  tsop delete api --group cache --version v1beta1 --kind Memcached --force`,
    )
    .action(async (flags: DeleteFlags) => {
      const { planDeleteApi, requireResource } = await import("../../project/scaffold/api/plan-delete-api.ts");
      const options = { ...flags, force: flags.force ?? false };
      await remove(io, { flags, command: "tsop delete api" }, async (loaded) => {
        const plan = await planDeleteApi(loaded, options, io.disk);
        const resource = requireResource(loaded.project, options);
        if (!resource.external) return plan;
        const { planTypesRemoval } = await import("../../codegen/external/plan-types.ts");
        return joinPlans(plan, await planTypesRemoval(resource, { ...options, root: loaded.root, disk: io.disk }));
      });
    });
}

/** `tsop delete webhook` */
export function deleteWebhookCommand(io: Io): Command {
  return deleting(new Command("webhook"), "remove webhooks of a kind: the selected ones, or all")
    .option("--defaulting", "the defaulting webhook")
    .option("--programmatic-validation", "the validating webhook")
    .option("--conversion", "the conversion webhook")
    .addHelpText(
      "after",
      `
Examples:
  tsop delete webhook --group cache --kind Memcached
  tsop delete webhook --group cache --version v1 --kind Memcached --conversion --force`,
    )
    .action(async (flags: DeleteWebhookFlags) => {
      const { planDeleteWebhook } = await import("../../project/scaffold/webhook/plan-delete-webhook.ts");
      const types = [
        ...(flags.defaulting ? (["defaulting"] as const) : []),
        ...(flags.programmaticValidation ? (["validation"] as const) : []),
        ...(flags.conversion ? (["conversion"] as const) : []),
      ];
      const force = flags.force ?? false;
      await remove(io, { flags, command: "tsop delete webhook" }, (loaded) =>
        planDeleteWebhook(loaded, { ...flags, types, force }, io.disk),
      );
    });
}

function deleting(command: Command, description: string): Command {
  return writing(command)
    .description(description)
    .option("--group <group>", "API group, without the project's domain", "")
    .option("--version <version>", "API version", "v1alpha1")
    .requiredOption("--kind <Kind>", "name of the kind")
    .option("--force", "also remove edited files")
    .option("--yes", "do not ask for confirmation")
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true);
}

async function remove(
  io: Io,
  { flags, command }: { readonly flags: DeleteFlags; readonly command: string },
  planDeletion: (loaded: LoadedProject) => Promise<Plan>,
): Promise<void> {
  const { findProjectRoot } = await import("../../project/load-project.ts");
  const { planChange } = await import("../steps/load-changeable-project.ts");
  const planAll = (): Promise<Plan> => planChange(io, flags, planDeletion);
  const root = await findProjectRoot(io.cwd, io.disk);
  // No other command waits for the answer, so the plan is made again afterwards.
  if (io.isTTY && !flags.yes && !flags.dryRun && !(await confirmRemoval(io, await planAll()))) return;
  await changeAndReport(io, { root, command, flags }, planAll);
}

async function confirmRemoval(io: Io, plan: Plan): Promise<boolean> {
  const removed = plan.changes.filter(({ type }) => type === "remove").map(({ path }) => `  ${path}\n`);
  io.stderr.write(`These files will be removed:\n${removed.toSorted().join("")}`);
  return io.prompt.confirm({ message: `Remove these ${removed.length} files?`, flag: "--yes", initial: false });
}
