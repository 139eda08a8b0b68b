import { Command, InvalidArgumentError, Option } from "commander";
import type { Io } from "../io.ts";
import { withRegistry } from "../flags/registry-flags.ts";
import type { ValidateFlags } from "../steps/report-bundle.ts";

/** `tsop bundle validate` */
export function bundleValidateCommand(io: Io): Command {
  const command = new Command("validate")
    .description("validate an OLM bundle: its format, its ClusterServiceVersion, its CRDs and objects")
    .argument("[bundle]", "the bundle's folder, or its image")
    .addOption(
      new Option("-b, --image-builder <tool>", "ignored: tsop pulls images itself")
        .choices(["docker", "podman", "none"])
        .hideHelp(),
    )
    .option("--select-optional <selector>", "also run the optional validators that match this label selector")
    .option("--list-optional", "list the optional validators and exit")
    .option(
      "--optional-values <list>",
      "key=value,… for validators: k8s-version, index-path, container-tools, previous",
      readValues,
      {},
    )
    .option("--alpha-select-external <programs>", "also run these validator programs: paths separated by colons")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json-alpha1"]).default("text"))
    .addHelpText(
      "after",
      `
Examples:
  tsop bundle validate ./bundle
  tsop bundle validate registry.example.com/team/memcached-operator-bundle:v0.0.1
  tsop bundle validate ./bundle --select-optional suite=operatorframework
  tsop bundle validate ./bundle --select-optional name=operatorhubv2 --optional-values=k8s-version=1.25 -o json-alpha1`,
    )
    .action(async (bundle: string | undefined, flags: ValidateFlags) => {
      const { validateBundle } = await import("../steps/report-bundle.ts");
      await validateBundle(io, bundle, flags);
    });
  return withRegistry(command);
}

function readValues(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const texts = text.split(",").filter(Boolean);
  if (!texts.every((pair) => /^[^=]+=/.test(pair)))
    throw new InvalidArgumentError("It must be key=value, as in k8s-version=1.25.");
  const pairs = texts.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { ...before, ...Object.fromEntries(pairs) };
}
