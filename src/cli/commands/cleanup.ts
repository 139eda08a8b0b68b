import { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import { withNamespace, type ClusterFlags } from "../flags/cluster-flags.ts";
import { parseBoolean } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import { connectCluster } from "../steps/open-cluster.ts";
import { confirmOrRefuse } from "../steps/confirm-or-refuse.ts";

interface CleanupFlags extends ClusterFlags {
  readonly deleteAll: boolean;
  readonly deleteCrds: boolean;
  readonly deleteOperatorGroups: boolean;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** `tsop cleanup` */
export function cleanupCommand(io: Io): Command {
  return withNamespace(new Command("cleanup"))
    .description("remove an operator that run bundle has installed, with its CRDs and their custom resources")
    .argument("<package>", "name of the operator's package")
    .option("--delete-all [bool]", "delete the CRDs and the OperatorGroup as well", parseBoolean, true)
    .option(
      "--delete-crds [bool]",
      "with --delete-all=false: delete the CRDs that the operator owns",
      parseBoolean,
      false,
    )
    .option("--delete-operator-groups [bool]", "with --delete-all=false: delete the OperatorGroup", parseBoolean, false)
    .option("--dry-run", "list what would be deleted")
    .option("-y, --yes", "delete custom resources without a question")
    .addHelpText("after", "\nExamples:\n  tsop cleanup memcached-operator --dry-run\n  tsop cleanup memcached-operator")
    .action(async (name: string, flags: CleanupFlags) => {
      const { cleanUp, customResourceNames, planCleanup } = await import("../../olm/cluster/cleanup.ts");
      const host = await connectCluster(io, flags);
      const { deleteAll, deleteCrds, deleteOperatorGroups } = flags;
      const options = { crds: deleteAll || deleteCrds, operatorGroups: deleteAll || deleteOperatorGroups };
      const doomed = await planCleanup(host, name, options);
      if (doomed.length === 0) {
        io.stderr.write(`nothing of package ${name} is in namespace ${host.namespace}\n`);
        return;
      }
      if (flags.dryRun) {
        for (const { kind, object } of doomed) io.stdout.write(`${kind.plural}/${object.metadata.name}\n`);
        return;
      }
      const names = customResourceNames(doomed);
      if (names.length > 0 && !flags.yes) {
        const refuse = new TsopError("TSOP_CUSTOM_RESOURCES", { objects: names.join(", "), package: name });
        await confirmOrRefuse(io, { lines: names, message: "Delete these as well?", flag: "--yes", refuse });
      }
      await cleanUp(host, doomed);
    });
}
