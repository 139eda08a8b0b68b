import { resolve } from "node:path";
import { Command, Option } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Plan } from "../../files/plan.ts";
import { joinPlans, withPlan } from "../../files/with-plan.ts";
import { relativePath } from "../../files/slashes.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import { applyAndReport, writing, changeFolder, type WriteFlags } from "../steps/apply-plan.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";

type Output = "crd" | "rbac" | "webhook" | "kinds" | "docs";

interface GenerateFlags extends WriteFlags {
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly output?: string;
}

/** `tsop generate manifests` */
export function generateManifestsCommand(io: Io): Command {
  return generator(io, {
    name: "manifests",
    description: "write CRDs, the operator's role and webhook configurations from your code",
    outputs: ["crd", "rbac", "webhook"],
  });
}

/** `tsop generate code` */
export function generateCodeCommand(io: Io): Command {
  return generator(io, {
    name: "code",
    description: "write Kind constants, list types, guards and schemas next to your types",
    outputs: ["kinds"],
  });
}

/** `tsop generate docs` */
export function generateDocsCommand(io: Io): Command {
  return generator(io, {
    name: "docs",
    description: "write reference pages of your API in Markdown, one for each group and version",
    outputs: ["docs"],
  }).option("--output <dir>", "folder of the pages (default: docs/api)");
}

interface Generator {
  readonly name: string;
  readonly description: string;
  readonly outputs: readonly Output[];
}

function generator(io: Io, { name, description, outputs }: Generator): Command {
  const command = new Command(name)
    .description(description)
    .option("--check", "write nothing; fail if files are out of date")
    .addOption(new Option("--watch", "generate again after each change, until Ctrl-C").conflicts(["check", "dryRun"]))
    .addHelpText(
      "after",
      `
Examples:
  tsop generate ${name}
  tsop generate ${name} --check    # in CI
  tsop generate ${name} --watch    # while you edit`,
    )
    .action(async (flags: GenerateFlags) => {
      const { expectedKinds, findProjectRoot, loadProject } = await import("../../project/load-project.ts");
      const { generateWithSchemas } = await import("../../local/schema-kinds.ts");
      const { formatDiagnostic } = await import("../../errors/diagnostic.ts");
      const root = await findProjectRoot(io.cwd, io.disk);
      const { version } = await loadOwnPackage(io.disk);
      const generateOnce = async (): Promise<void> => {
        const loaded = await loadProject(root, io.disk);
        const types = outputs.includes("kinds") ? await planForeignTypes(io, loaded) : { root, changes: [] };
        const disk = types.changes.length > 0 ? withPlan(io.disk, types) : io.disk;
        const kinds = expectedKinds(loaded);
        const docs =
          flags.output === undefined ? {} : { docsFolder: relativePath(root, resolve(io.cwd, flags.output)) };
        const generated = await generateWithSchemas({ root, disk, version, outputs, kinds, ...docs });
        const plan = joinPlans(types, generated.plan);
        const { warnings } = generated;
        for (const warning of warnings) io.stderr.write(`${formatDiagnostic(warning)}\n`);
        if (flags.check) return checkNothingChanges(io, plan, name);
        await applyAndReport(io, plan, flags);
      };
      if (flags.check) return generateOnce();
      const change = { root, command: `tsop generate ${name}`, flags };
      const generateAlone = (): Promise<void> => changeFolder(io, change, generateOnce);
      if (!flags.watch) return generateAlone();
      const { generateOnChange } = await import("../steps/generate-on-change.ts");
      await generateOnChange(io, root, generateAlone);
    });
  return writing(command);
}

/** Refreshes the types of foreign kinds, in a project that has some from files. */
async function planForeignTypes(io: Io, loaded: LoadedProject): Promise<Plan> {
  const { recordedSources } = await import("../../codegen/external/source.ts");
  if (!recordedSources(loaded.project).some(({ file }) => file)) return { root: loaded.root, changes: [] };
  const { planRecordedFiles } = await import("../steps/external-types.ts");
  return planRecordedFiles(io, loaded);
}

async function checkNothingChanges(io: Io, plan: Plan, name: string): Promise<void> {
  if (plan.changes.length === 0) return;
  const { diffPlan } = await import("../../files/diff.ts");
  io.stdout.write(await diffPlan(plan, io.disk));
  const files = plan.changes.map(({ path }) => `  ${path}`).join("\n");
  throw new TsopError("TSOP_NOT_UP_TO_DATE", { files, name });
}
