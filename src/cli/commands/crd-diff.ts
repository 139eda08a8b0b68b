import { Command, Option } from "commander";
import { changeFormats } from "../../release/crd/format-changes.ts";
import type { Io } from "../io.ts";
import type { CrdDiffFlags } from "../steps/diff-crds.ts";

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
      const { diffCrds } = await import("../steps/diff-crds.ts");
      await diffCrds(io, [old, now], flags);
    });
}
