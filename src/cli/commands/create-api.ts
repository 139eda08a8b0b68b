import { Command, InvalidArgumentError } from "commander";
import { applyAndReport, writing, type WriteFlags } from "../apply-plan.ts";
import type { Io } from "../io.ts";

interface CreateApiFlags extends WriteFlags {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly resource?: boolean;
  readonly controller?: boolean;
  readonly namespaced: boolean;
  readonly make: boolean;
}

/** `tsop create api` */
export function createApiCommand(io: Io): Command {
  const command = new Command("api")
    .description("add a kind: its types, controller, test, sample and roles")
    .option("--group <group>", "API group, without the project's domain", "")
    .option("--version <version>", "API version", "v1alpha1")
    .requiredOption("--kind <Kind>", "name of the kind, UpperCamelCase")
    .option("--plural <plural>", "plural of the kind (default: the regular one)")
    .option("--resource [bool]", "write the types (default: ask on a terminal, else yes)", parseBoolean)
    .option("--controller [bool]", "write the controller (default: ask on a terminal, else yes)", parseBoolean)
    .option("--namespaced [bool]", "whether objects of the kind live in namespaces", parseBoolean, true)
    .option("--force", "overwrite files that are there already")
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      `
Examples:
  tsop create api --group cache --kind Memcached
  tsop create api --group cache --version v1 --kind Memcached --controller=false
  tsop create api --group ship --kind Frigate --namespaced=false --plural fleets`,
    )
    .action(async (flags: CreateApiFlags) => {
      const [{ loadProject }, { planApi }] = await Promise.all([
        import("../../project/load-project.ts"),
        import("../../scaffold/plan-api.ts"),
      ]);
      const loaded = await loadProject(io.cwd, io.disk);
      const resource = flags.resource ?? (await ask(io, "Create the resource (types, CRD)?", "--resource"));
      const controller = flags.controller ?? (await ask(io, "Create the controller?", "--controller"));
      const plan = await planApi(loaded, { ...flags, resource, controller, force: flags.force ?? false }, io.disk);
      const whole = flags.make ? await (await import("../generate-after.ts")).generateAfter(io, plan) : plan;
      if (!(await applyAndReport(io, whole, flags))) return;
      io.stderr.write("\nNext: edit the types and the controller, then\n  make manifests generate test\n");
    });
  return writing(command);
}

/** A question has an answer without a terminal, too: yes. */
async function ask(io: Io, message: string, flag: string): Promise<boolean> {
  return io.isTTY ? io.prompt.confirm({ message, flag, initial: true }) : true;
}

/** `--flag`, `--flag=true` and `--flag=false`, as Go's flags have them. */
function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("It is true or false.");
}
