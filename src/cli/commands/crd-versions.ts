import { Command } from "commander";
import type { Io } from "../io.ts";
import type { CrdVersionsFlags } from "../steps/stored-versions.ts";

/** `tsop crd versions` */
export function crdVersionsCommand(io: Io): Command {
  return new Command("versions")
    .description("show in which versions a cluster stores objects, and store them in one")
    .argument("[names...]", "names of CRDs (default: those of the project)")
    .option("--kubeconfig <file>", "use the cluster of this kubeconfig")
    .option("--context <name>", "use the cluster of this context")
    .option("--migrate", "write all objects again, and remove old versions from status.storedVersions")
    .addHelpText(
      "after",
      `
A version can be removed from a CRD only if no object is stored in it.

Examples:
  tsop crd versions --context prod
  tsop crd versions memcacheds.cache.example.com --context prod --migrate`,
    )
    .action(async (names: readonly string[], flags: CrdVersionsFlags) => {
      const { showVersions } = await import("../steps/stored-versions.ts");
      await showVersions(io, names, flags);
    });
}
