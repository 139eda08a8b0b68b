import { Command, Option } from "commander";
import { kubernetesRelease } from "../../apimachinery/kubernetes-version.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";

/** `tsop version` without flags is answered by bin, with the text that the build has got from here. */
export function versionCommand(io: Io): Command {
  return new Command("version")
    .description("print the versions of tsop, Kubernetes and Node")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nExamples:\n  tsop version\n  tsop version --output json | jq -r .version")
    .action(async (flags: { output: "text" | "json" }) => {
      const { version } = await loadOwnPackage(io.disk);
      const facts = { version: `v${version}`, kubernetes: `v${kubernetesRelease}`, node: `v${io.nodeVersion}` };
      const text = Object.entries(facts).map(([name, value]) => `${name === "version" ? "tsop" : name}: ${value}`);
      io.stdout.write(flags.output === "json" ? `${JSON.stringify(facts)}\n` : `${text.join(", ")}\n`);
    });
}
