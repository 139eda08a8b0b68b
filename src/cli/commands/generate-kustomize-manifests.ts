import { Command } from "commander";
import { changeAndReport, quietIf, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { parseBoolean } from "../flags/parse-values.ts";
import { withSlashes } from "../../files/slashes.ts";
import type { Io } from "../io.ts";

interface KustomizeFlags extends WriteFlags {
  readonly package?: string;
  readonly inputDir: string;
  readonly outputDir: string;
  readonly interactive?: boolean;
  readonly quiet?: boolean;
}

/** `tsop generate kustomize manifests` */
export function generateKustomizeManifestsCommand(io: Io): Command {
  const command = new Command("manifests")
    .description("write the base of the ClusterServiceVersion and the kustomize files for bundles")
    .option("--package <name>", "name of the package (default: the project's name)")
    .option("--input-dir <folder>", "folder of an existing base", "config/manifests")
    .option("--output-dir <folder>", "folder for the base", "config/manifests")
    .option("--apis-dir <folder>", "ignored: kinds are found by their markers in all folders")
    .option(
      "--interactive [bool]",
      "ask for name, description and maintainers (default: on a terminal, if there is no base)",
      parseBoolean,
    )
    .option("-q, --quiet", "print errors only")
    .addHelpText(
      "after",
      `
Examples:
  tsop generate kustomize manifests
  tsop generate kustomize manifests --interactive=false -q
  kubectl kustomize config/manifests | tsop generate bundle --version 0.0.1`,
    )
    .action(async (flags: KustomizeFlags) => {
      const { loadProject } = await import("../../project/load-project.ts");
      const { loadProjectTypes } = await import("../../codegen/index.ts");
      const { planKustomize } = await import("../../olm/kustomize/plan-kustomize.ts");
      const { root, project } = await loadProject(io.cwd, io.disk);
      const types = await loadProjectTypes({ root, disk: io.disk, forCrds: false });
      const packageName = flags.package ?? project.projectName;
      const ask = (message: string): Promise<string> => io.prompt.input({ message, flag: "--interactive=false" });
      const plan = await planKustomize(
        {
          ...flags,
          inputDir: withSlashes(flags.inputDir),
          outputDir: withSlashes(flags.outputDir),
          root,
          packageName,
          types,
          warn: (text) => void (flags.quiet || io.stderr.write(`warning: ${text}\n`)),
          ask: (hasBase) => (io.isTTY && (flags.interactive ?? !hasBase) ? ask : undefined),
        },
        io.disk,
      );
      const command = "tsop generate kustomize manifests";
      await changeAndReport(quietIf(flags.quiet, io), { root, command, flags }, () => plan);
    });
  return writing(command);
}
