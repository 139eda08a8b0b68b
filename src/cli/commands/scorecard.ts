import { resolve } from "node:path";
import { Command, Option } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { TestFormat } from "../../olm/scorecard/format-tests.ts";
import type { Io } from "../io.ts";
import { parseTimeout } from "../flags/cluster-flags.ts";
import type { TestFlags } from "../steps/run-tests.ts";
import { parsePath } from "../flags/parse-values.ts";
import { registrySettings, withRegistry, type RegistryFlags } from "../flags/registry-flags.ts";

interface ScorecardFlags extends RegistryFlags, TestFlags {
  readonly selector: string;
  readonly config?: string;
  readonly output: TestFormat;
  readonly list?: boolean;
}

const untarImage =
  "quay.io/operator-framework/scorecard-untar@sha256:2e728c5e67a7f4dec0df157a322dd5671212e8ae60f69137463bd4fdfbff8747";
const storageImage =
  "quay.io/operator-framework/scorecard-storage@sha256:a3bfda71281393c7794cabdd39c563fb050d3020fd0b642ea164646bdd39a0e2";

/** `tsop scorecard` */
export function scorecardCommand(io: Io): Command {
  const command = new Command("scorecard")
    .description("run the tests that a bundle's scorecard configuration lists; the built-in ones need no cluster")
    .argument("<bundle>", "the bundle's folder, or its image")
    .option("-l, --selector <selector>", "run only tests whose labels match this selector", "")
    .option("-c, --config <file>", "configuration file (default: the one in the bundle)")
    .option("-L, --list", "list the tests without running them")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json", "xunit"]).default("text"))
    .option("--kubeconfig <file>", "run tests of other images on the cluster of this kubeconfig")
    .option("--context <name>", "run tests of other images on the cluster of this context")
    .option("-n, --namespace <name>", "namespace of these tests (default: the namespace of the context)")
    .option("-s, --service-account <name>", "service account of these tests", "default")
    .addOption(
      new Option("-w, --wait-time <duration>", "time for all of these tests")
        .argParser(parseTimeout)
        .default(30_000, "30s"),
    )
    .option("-x, --skip-cleanup", "keep the pods of these tests")
    .option("-u, --untar-image <image>", "image with tar, which unpacks the bundle for these tests", untarImage)
    .option(
      "-b, --storage-image <image>",
      "image with tar and sleep, for the files that these tests write",
      storageImage,
    )
    .option("-t, --test-output <folder>", "folder for the files that these tests write", parsePath, "test-output")
    .addOption(
      new Option("--pod-security <kind>", "security context of these tests")
        .choices(["legacy", "restricted"])
        .default("legacy"),
    )
    .addHelpText(
      "after",
      `
Examples:
  tsop scorecard ./bundle
  tsop scorecard ./bundle --selector suite=olm --output json
  tsop scorecard ./bundle --list
  tsop scorecard ./bundle --context staging --namespace team --wait-time 2m
  tsop scorecard ./bundle --selector suite=own --test-output results`,
    )
    .action(async (bundle: string, flags: ScorecardFlags) => {
      const { loadBundle } = await import("../../olm/bundle/load-bundle.ts");
      const { openBundle } = await import("../../olm/registry/open-bundle.ts");
      const { configurationPath, parseConfiguration, selectTests } =
        await import("../../olm/scorecard/configuration.ts");
      const { runTests } = await import("../steps/run-tests.ts");
      const { formatTests } = await import("../../olm/scorecard/format-tests.ts");
      const loaded = loadBundle(
        await openBundle({ name: bundle, folder: resolve(io.cwd, bundle) }, registrySettings(io, flags)),
      );
      const file = flags.config ?? configurationPath(loaded.content, loaded.annotations);
      const text = flags.config ? await io.disk.read(resolve(io.cwd, file)) : loaded.content.get(file);
      if (text === undefined) throw new TsopError("TSOP_SCORECARD_CONFIG", { file, reason: "the file does not exist" });
      const configuration = parseConfiguration(text, file);
      const stages = selectTests(configuration, flags.selector);
      const serviceAccount = configuration.serviceaccount || flags.serviceAccount;
      const tests = flags.list
        ? stages.flatMap((stage) => stage.tests).map((spec) => ({ spec, results: [] }))
        : await runTests(io, loaded, { stages, flags: { ...flags, serviceAccount } });
      io.stdout.write(formatTests(tests, flags.output));
      const failed = tests.flatMap(({ results }) => results).filter(({ state }) => state !== "pass").length;
      if (failed > 0) throw new TsopError("TSOP_SCORECARD_FAILED", { failed, all: tests.length });
    });
  return withRegistry(command);
}
