import { Command, Option } from "commander";
import { changeFormats } from "../../release/crd/format-changes.ts";
import type { Io } from "../io.ts";
import type { CrdDiffFlags, CrdVersionsFlags } from "../steps/compare-crds.ts";

/** `tsop crd diff` */
export function crdDiffCommand(io: Io): Command {
  return new Command("diff")
    .description("compare CRDs, and say of each change whether it is safe")
    .argument("<old>", "file, folder, git revision (v1.2.0, or v1.2.0:PATH), or cluster")
    .argument("[new]", "the same (default: config/crd/bases of the project)")
    .option("--kubeconfig <file>", "the cluster of this kubeconfig")
    .option("--context <name>", "the cluster of this context")
    .addOption(new Option("-o, --output <format>", "output format").choices(changeFormats).default("text"))
    .addHelpText(
      "after",
      `
Exits with 0 if every change is safe, and with 1 if one is not.

Examples:
  tsop crd diff v1.2.0                                  the last release and the working tree
  tsop crd diff cluster --context prod                  what is installed and the working tree
  tsop crd diff old.yaml new.yaml --output markdown     a comment on a pull request`,
    )
    .action(async (old: string, now: string | undefined, flags: CrdDiffFlags) => {
      const { diffCrds } = await import("../steps/compare-crds.ts");
      await diffCrds(io, [old, now], flags);
    });
}

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
      const { showVersions } = await import("../steps/compare-crds.ts");
      await showVersions(io, names, flags);
    });
}
