import { Command, InvalidArgumentError, Option } from "commander";
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
import { collectPaths, parsePath, numberFrom, parsePort } from "../flags/parse-values.ts";
import { UsageError } from "../../errors/tsop-error.ts";

interface SandboxFlags extends UiFlags {
  readonly kubernetesVersion?: string;
  readonly port?: number;
  readonly simulate: "on" | "off";
  readonly apply?: readonly string[];
  readonly rbac?: true;
  readonly olm?: true;
  readonly sharding?: true;
  readonly certManager: "on" | "off";
  readonly runCommands?: true;
  readonly persist?: string;
  readonly auditLog?: string;
  readonly kubeconfig: string;
  readonly webhookPort?: number;
  readonly webhookCertNames?: readonly [string, string];
}

/** `tsop sandbox` */
export function sandboxCommand(io: Io): Command {
  const command = new Command("sandbox")
    .description("run the embedded API server alone, until Ctrl-C")
    .option("--kubernetes-version <version>", kubernetesVersionHelp)
    .option("--port <number>", "port on 127.0.0.1 (default: a free one)", parsePort)
    .addOption(
      new Option("--simulate <mode>", "simulate the progress of workloads").choices(["on", "off"]).default("on"),
    )
    .option("--olm", "simulate the Operator Lifecycle Manager; the pods of operators are simulated as well")
    .option("--sharding", "simulate the sharder of kubernetes-controller-sharding")
    .addOption(
      new Option("--cert-manager <mode>", "play cert-manager: issue certificates and inject CA bundles")
        .choices(["on", "off"])
        .default("on"),
    )
    .option("--rbac", "enforce roles for users other than the administrator")
    .option("--persist <folder>", persistHelp, parsePath)
    .option("--run-commands", runCommandsHelp)
    .option("--apply <path>", "file or folder to apply at the start; repeatable", collectPaths)
    .option(
      "--webhook-port <number>",
      "port on 127.0.0.1 where your operator serves its webhooks (default: 9443); writes a certificate to files",
      numberFrom(1, 65_535), // it must be known in advance
    )
    .option(
      "--webhook-cert-names <cert,key>",
      "with --webhook-port: file names of the certificate and its key (default: tls.crt,tls.key)",
      parseCertNames,
    )
    .option("--audit-log <file>", "file that receives an audit event for each request, with its content", parsePath)
    .option("--kubeconfig <file>", "kubeconfig file to write", parsePath, ".tsop/kubeconfig");
  return addUiFlags(command)
    .addHelpText(
      "after",
      "\nExamples:\n  tsop sandbox\n  tsop sandbox --port 6443 --apply config/crd/bases --apply config/samples",
    )
    .action(async (flags: SandboxFlags) => {
      const ui = uiOptions(flags);
      if (flags.runCommands) warnOfCommands(io);
      if (flags.webhookCertNames && flags.webhookPort === undefined) {
        throw new UsageError("--webhook-cert-names needs --webhook-port");
      }
      const needsSimulation = flags.olm ? "--olm" : flags.sharding ? "--sharding" : undefined;
      if (needsSimulation && flags.simulate === "off") {
        throw new UsageError(`${needsSimulation} needs the simulation of workloads`);
      }
      const { serveSandbox } = await import("../../sandbox/serve-sandbox.ts");
      const { cwd, signal } = io;
      const emit = (line: string): void => io.stderr.write(`${line}\n`);
      const observer = ui && (await import("../steps/observe-sandbox.ts")).observeSandbox(ui, emit);
      const modes = { simulate: flags.simulate === "on", certManager: flags.certManager === "on" };
      await serveSandbox({ ...flags, ...modes }, { cwd, signal, emit, observer });
    });
}

function parseCertNames(text: string): [string, string] {
  const [certificate = "", key = "", ...more] = text.split(",");
  const isName = (name: string): boolean => /^[\w.-]+$/.test(name) && !/^\.+$/.test(name);
  if (isName(certificate) && isName(key) && certificate !== key && more.length === 0) return [certificate, key];
  throw new InvalidArgumentError("It must be two file names, such as apiserver.crt,apiserver.key.");
}
