import { resolve } from "node:path";
import { Command, Option } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { TestFormat } from "../../olm/scorecard/format-tests.ts";
import type { Io } from "../io.ts";
import { registrySettings, withRegistry, type RegistryFlags } from "../flags/registry-flags.ts";

interface ScorecardFlags extends RegistryFlags {
  readonly selector: string;
  readonly config?: string;
  readonly output: TestFormat;
  readonly list?: boolean;
}

/** `tsop scorecard` */
export function scorecardCommand(io: Io): Command {
  const command = new Command("scorecard")
    .description("run the tests that a bundle's scorecard configuration lists; the built-in ones need no cluster")
    .argument("<bundle>", "the bundle's folder, or its image")
    .option("-l, --selector <selector>", "run only tests whose labels match this selector", "")
    .option("-c, --config <file>", "configuration file (default: the one in the bundle)")
    .option("-L, --list", "list the tests without running them")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json", "xunit"]).default("text"))
    .addHelpText(
      "after",
      `
Examples:
  tsop scorecard ./bundle
  tsop scorecard ./bundle --selector suite=olm --output json
  tsop scorecard ./bundle --list`,
    )
    .action(async (bundle: string, flags: ScorecardFlags) => {
      const [
        { loadBundle },
        { openBundle },
        { configurationPath, parseConfiguration, selectTests },
        scorecard,
        { formatTests },
      ] = await Promise.all([
        import("../../olm/bundle/load-bundle.ts"),
        import("../../olm/registry/open-bundle.ts"),
        import("../../olm/scorecard/configuration.ts"),
        import("../../olm/scorecard/run-scorecard.ts"),
        import("../../olm/scorecard/format-tests.ts"),
      ]);
      const loaded = loadBundle(
        await openBundle({ name: bundle, folder: resolve(io.cwd, bundle) }, registrySettings(io, flags)),
      );
      const file = flags.config ?? configurationPath(loaded.content, loaded.annotations);
      const text = flags.config ? await io.disk.read(resolve(io.cwd, file)) : loaded.content.get(file);
      if (text === undefined) throw new TsopError("TSOP_SCORECARD_CONFIG", { file, reason: "the file does not exist" });
      const selected = selectTests(parseConfiguration(text, file), flags.selector);
      const tests = flags.list
        ? selected.map((spec) => ({ spec, results: [] }))
        : await scorecard.runScorecard(loaded, selected);
      io.stdout.write(formatTests(tests, flags.output));
      const failed = tests.flatMap(({ results }) => results).filter(({ state }) => state !== "pass").length;
      if (failed > 0) throw new TsopError("TSOP_SCORECARD_FAILED", { failed, all: tests.length });
    });
  return withRegistry(command);
}
