import { Command, Option } from "commander";
import { parseTimeout } from "../flags/cluster-flags.ts";
import { collectPaths, parsePath, collectList } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import type { PlanFlags } from "../steps/plan-changes.ts";

/** `tsop plan` */
export function planCommand(io: Io): Command {
  return new Command("plan")
    .description("show what a new version of the operator would do to a cluster, on a copy of it")
    .argument("[operator arguments...]", "arguments for the operator of this project, after --")
    .option("--kubeconfig <file>", "kubeconfig of the cluster, which is only read")
    .option("--context <name>", "context of the cluster")
    .option("-n, --namespace <name>", "copy only this namespace")
    .option("--exec <command>", "plan this program, in any language, which finds the copy by KUBECONFIG")
    .option(
      "--apply <path>",
      "manifests of the new version (default: CRDs, roles, webhooks of config); repeatable",
      collectPaths,
    )
    .option("--old-exec <command>", "the program that is deployed now: what it does to the copy, too, is left out")
    .option("--old-revision <revision>", "the project in this revision of git is deployed now")
    .option("--also <resources>", "copy these, too: configmaps,deployments.apps", collectList)
    .addOption(
      new Option("--secrets <how>", "copy the values of Secrets, stand-ins of the same length, or no Secret")
        .choices(["keep", "hash", "omit"])
        .default("hash"),
    )
    .option("--save <file>", "only copy, to this file", parsePath)
    .option("--from <file>", "plan for the copy in this file", parsePath)
    .option("--role", "print the ClusterRole that the copy needs, and exit")
    .option("--simulate", "let controllers and a node act on the copy, to see the steps that follow")
    .addOption(
      new Option("--timeout <duration>", "time in which the operator must come to rest")
        .argParser(parseTimeout)
        .default(120_000, "2m"),
    )
    .addOption(
      new Option("-o, --output <format>", "output format").choices(["text", "json", "markdown"]).default("text"),
    )
    .option("--verbose", "show every object and every difference")
    .option("--ui", "serve a page about the copy until Ctrl-C")
    .addHelpText("after", examples)
    .action(async (args: string[], flags: PlanFlags) => {
      const { planChanges } = await import("../steps/plan-changes.ts");
      await planChanges(io, flags, args);
    });
}

const examples = `
Exits with 0 if nothing changes, with 2 if something does or fails, and with 1 if the plan fails.

Examples:
  tsop plan --context prod
  tsop plan --context prod --exec "./bin/manager --leader-elect=false" --apply dist/install.yaml
  tsop plan --context prod --save prod.jsonl
  tsop plan --from prod.jsonl --output markdown`;
