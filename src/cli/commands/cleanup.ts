import { Command } from "commander";
import { connectCluster, withCluster, type ClusterFlags } from "../flags/cluster-flags.ts";
import { parseBoolean } from "../flags/parse-boolean.ts";
import type { Io } from "../io.ts";

interface CleanupFlags extends ClusterFlags {
  readonly deleteAll: boolean;
  readonly deleteCrds: boolean;
  readonly deleteOperatorGroups: boolean;
  readonly dryRun?: true;
}

/** `tsop cleanup` */
export function cleanupCommand(io: Io): Command {
  return withCluster(new Command("cleanup"))
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
    .addHelpText("after", "\nExamples:\n  tsop cleanup memcached-operator --dry-run\n  tsop cleanup memcached-operator")
    .action(async (name: string, flags: CleanupFlags) => {
      const { cleanUp, planCleanup } = await import("../../olm/cluster/cleanup.ts");
      const host = await connectCluster(io, flags);
      const { deleteAll, deleteCrds, deleteOperatorGroups } = flags;
      const options = { crds: deleteAll || deleteCrds, operatorGroups: deleteAll || deleteOperatorGroups };
      const doomed = await planCleanup(host, name, options);
      if (doomed.length === 0) return io.stderr.write(`nothing of package ${name} is in namespace ${host.namespace}\n`);
      if (!flags.dryRun) return cleanUp(host, doomed);
      for (const { kind, object } of doomed) io.stdout.write(`${kind.plural}/${object.metadata.name}\n`);
    });
}
