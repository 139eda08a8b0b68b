import { Command, InvalidArgumentError, Option } from "commander";
import { parseTimeout } from "../flags/cluster-flags.ts";
import { checkHelp } from "../flags/check-help.ts";
import { collectList, collectPaths, numberFrom, parsePath } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import type { CheckFlags } from "../steps/check-operator.ts";

/** `tsop check` */
export function checkCommand(io: Io): Command {
  return new Command("check")
    .description("run the operator against fresh servers with faults, and report the bugs that a cluster would find")
    .argument("[operator arguments...]", "arguments for the operator of this project, after --")
    .option("--exec <command>", "check this program, in any language, which finds the server by KUBECONFIG")
    .option("--apply <path>", "CRDs and other objects that exist before the operator starts; repeatable", collectPaths)
    .option("--sample <path>", "custom resources to check with (default: config/samples); repeatable", collectPaths)
    .option("--scenario <file>", "steps to carry out (default: create, change, change back, delete)", parsePath)
    .option("--with <dir>", "run the operator of the project in this folder next to it; repeatable", collectPaths)
    .option("--rbac", "enforce the roles of the project")
    .option("--upgrade-from <revision>", "check the upgrade from the project in this revision of git, and the way back")
    .option("--upgrade-from-exec <command>", "with --exec: check the upgrade from this program, and the way back")
    .option(
      "--upgrade-from-apply <path>",
      "CRDs and other objects of that program (default: those of --apply); repeatable",
      collectPaths,
    )
    .option(
      "--upgrade-from-sample <path>",
      "custom resources of that program (default: those of --sample); repeatable",
      collectPaths,
    )
    .addOption(
      new Option(
        "--budget <duration>",
        "time after which no further run is started (default: 5m); schedules are drawn until then",
      ).argParser(parseTimeout),
    )
    .option(
      "--jobs <number>",
      "runs at the same time (default: one more than processors, five at most)",
      numberFrom(1, 99),
    )
    .addOption(
      new Option("--engine <engine>", "how the operator runs: in a simulation, which takes seconds, or as processes")
        .choices(["auto", "simulation", "processes"])
        .default("auto", "simulation if the operator allows it"),
    )
    .option(
      "--seed <number>",
      "order of the runs, and all that chance decides in a simulation",
      numberFrom(0, 999_999_999),
      1,
    )
    .option(
      "--schedules <number>",
      "runs with two faults and other delays, after those with one (default: 100, or until --budget ends)",
      parseSchedules,
    )
    .option("--only <classes>", "classes of faults to try, separated by commas", collectList)
    .option("--list", "list the planned runs and exit")
    .option(
      "--replay <file>",
      "repeat the run of a finding, with its objects: a file under .tsop/check/findings",
      parsePath,
    )
    .option("--accept <file>", "known findings, each with a reason", parsePath)
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json", "junit"]).default("text"))
    .addHelpText("after", examples())
    .action(async (args: string[], flags: CheckFlags) => {
      const { checkOperator } = await import("../steps/check-operator.ts");
      await checkOperator(io, flags, args);
    });
}

const examples = (): string => `
Exits with 0 if nothing is found, and with 1 if something is.

${checkHelp()}

Examples:
  tsop check
  tsop check --only crash,drift
  tsop check --budget 10m
  tsop check --only upgrade,rollback --upgrade-from v1.2.0
  tsop check --exec "./bin/manager --leader-elect=false" --apply config/crd/bases --sample config/samples/x.yaml
`;

function parseSchedules(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number; 0 draws none.");
}
