import { Command, Option } from "commander";
import type { Io } from "../io.ts";

/** `tsop version` */
export function versionCommand(io: Io): Command {
  return new Command("version")
    .description("print the versions of tsop, Kubernetes and Node")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nExamples:\n  tsop version\n  tsop version --output json | jq -r .version")
    .action(async (flags: { output: "text" | "json" }) => {
      const { printVersion } = await import("../package/print-version.ts");
      await printVersion(io, flags.output);
    });
}
