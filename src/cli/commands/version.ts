import { Command, Option } from "commander";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../own-package.ts";

/** `tsop version` */
export function versionCommand(io: Io): Command {
  return new Command("version")
    .description("print the version of tsop, of its Kubernetes and of Node")
    .addOption(new Option("-o, --output <format>", "how to print it").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nExamples:\n  tsop version\n  tsop version --output json | jq -r .version")
    .action(async (flags: { output: "text" | "json" }) => {
      const { version } = await loadOwnPackage(io.disk);
      const facts = { version: `v${version}`, kubernetes: "v1.36", node: `v${io.nodeVersion}` };
      const text = Object.entries(facts).map(([name, value]) => `${name === "version" ? "tsop" : name}: ${value}`);
      io.stdout.write(flags.output === "json" ? `${JSON.stringify(facts)}\n` : `${text.join(", ")}\n`);
    });
}
