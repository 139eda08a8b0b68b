import { Command, Option } from "commander";
import type { Io } from "../io.ts";
import {
  runCommandsHelp,
  warnOfCommands,
  persistHelp,
  kubernetesVersionHelp,
  addUiFlags,
  uiOptions,
  type UiFlags,
} from "../flags/server-flags.ts";
import { collectPaths, numberFrom, parsePath, parsePort } from "../flags/parse-values.ts";
import { UsageError } from "../../errors/tsop-error.ts";
import { runBundleCommand, runBundleUpgradeCommand } from "./run-bundle.ts";

interface RunFlags extends UiFlags {
  readonly local?: true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly install?: true;
  readonly kubernetesVersion?: string;
  readonly port?: number;
  readonly apply?: readonly string[];
  readonly rbac?: true;
  readonly runCommands?: true;
  readonly persist?: string;
  readonly watch?: true;
  readonly debug?: number;
  readonly replicas?: number;
  readonly logFormat: "pretty" | "json";
}

/** `tsop run --local` */
export function runCommand(io: Io): Command {
  const command = new Command("run")
    .description("run the operator of this project on your machine, with an embedded API server or on a cluster")
    .argument("[operator arguments...]", "arguments for the operator, after --")
    .option("--local", "run on this machine; required, unless a bundle is run")
    .option("--kubeconfig <file>", "run against the cluster of this kubeconfig")
    .option("--context <name>", "run against the cluster of this context")
    .option("--install", "install the CRDs of the project on that cluster")
    .option("--kubernetes-version <version>", kubernetesVersionHelp)
    .option("--port <number>", "port of the embedded API server (default: a free one)", parsePort)
    .option(
      "--apply <path>",
      "file or folder to apply after the operator has started, and with --watch after each change; repeatable",
      collectPaths,
    )
    .option(
      "--rbac",
      "enforce the roles of config/rbac on the operator; a denied request is reported with the marker to add",
    )
    .addOption(new Option("--persist [folder]", persistHelp).preset(".tsop/state").argParser(parsePath))
    .option("--run-commands", runCommandsHelp)
    .option("--watch", "rebuild and restart the operator when sources change; the server and its objects stay")
    .addOption(
      new Option("--debug [port]", "open the operator's inspector for a debugger").preset("9229").argParser(parsePort),
    )
    .option(
      "--replicas <number>",
      "number of replicas; they share the objects if the project has config/sharding, else one of them leads",
      numberFrom(1, 20),
    )
    .addOption(
      new Option("--log-format <format>", "log format: readable, or the operator's JSON lines")
        .choices(["pretty", "json"])
        .default("pretty"),
    );
  return addUiFlags(command)
    .addHelpText("after", examples)
    .addCommand(runBundleCommand(io))
    .addCommand(runBundleUpgradeCommand(io))
    .helpCommand(false)
    .action(async (args: string[], flags: RunFlags) => {
      if (!flags.local) throw new UsageError(missingLocal(args));
      const ui = uiOptions(flags);
      refuseWithReplicas(flags);
      if (flags.runCommands) warnOfCommands(io);
      const { runLocal } = await import("../../local/run-local.ts");
      const { showLocal } = await import("../steps/show-local.ts");
      const { loadOwnPackage } = await import("../package/tsop-spec.ts");
      const { version } = await loadOwnPackage(io.disk);
      const emit = showLocal(io, flags.logFormat);
      await runLocal(
        { ...flags, ui, version, args },
        { cwd: io.cwd, env: io.env, disk: io.disk, signal: io.signal, emit },
      );
    });
}

function refuseWithReplicas({ replicas, debug, ui }: RunFlags): void {
  const single = debug !== undefined ? "--debug" : ui ? "--ui" : undefined;
  if (replicas !== undefined && single) throw new UsageError(`${single} is for one operator: omit --replicas`);
}

/** A word instead of `--local` is meant as a command, such as `bundle` with a typo. */
function missingLocal([word = "-"]: readonly string[]): string {
  if (word.startsWith("-")) return "required option '--local' not specified";
  return `unknown command '${word}'; run has the commands bundle and bundle-upgrade, and the option --local`;
}

const examples = `
Without --kubeconfig and --context, an embedded API server is started and stopped with the operator. KUBECONFIG is ignored.

Examples:
  tsop run --local --apply config/samples
  tsop run --local --context staging --install
  tsop run --local --replicas 3
  tsop run --local -- --zap-log-level=debug
`;
