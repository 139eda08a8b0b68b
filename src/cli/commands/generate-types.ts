import { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
import { writing } from "../steps/apply-plan.ts";
import type { SourceFlags } from "../steps/external-types.ts";

/** `tsop generate types` */
export function generateTypesCommand(io: Io): Command {
  const command = new Command("types")
    .description("write the types of foreign kinds again, from the sources that PROJECT records")
    .option("--kubeconfig <file>", "use the cluster of this kubeconfig")
    .option("--context <name>", "use the cluster of this context")
    .option("--force", "overwrite types that were edited by hand")
    .addHelpText(
      "after",
      `
Examples:
  tsop create api --from-crd https://example.com/crds.yaml    # once
  tsop generate types                                         # when the API has changed`,
    )
    .action(async (flags: SourceFlags) => {
      const { loadProject } = await import("../../project/load-project.ts");
      const { recordedSources } = await import("../../codegen/external/source.ts");
      const { readRecordedSources, writeTypes } = await import("../steps/external-types.ts");
      const loaded = await loadProject(io.cwd, io.disk);
      if (recordedSources(loaded.project).length === 0) throw new TsopError("TSOP_CRD_NO_SOURCES", {});
      const sourced = await readRecordedSources(io, loaded, flags);
      await writeTypes(io, { root: loaded.root, command: "tsop generate types", sourced }, flags);
    });
  return writing(command);
}
