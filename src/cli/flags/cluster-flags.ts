import { InvalidArgumentError, Option, type Command } from "commander";
import { parseDuration } from "../../apimachinery/duration.ts";

/** Flags of the commands that work on a cluster with OLM. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly timeout: number;
}

/** Adds these flags to a command. */
export function withCluster(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "use the cluster of this kubeconfig")
    .option("--context <name>", "use the cluster of this context")
    .addOption(
      new Option("--timeout <duration>", "time for all of it, such as 90s or 5m")
        .argParser(parseTimeout)
        .default(120_000, "2m"),
    );
}

/** Adds these flags, and that of the operator's namespace. */
export function withNamespace(command: Command): Command {
  return withCluster(command).option(
    "-n, --namespace <name>",
    "namespace of the operator (default: the namespace of the context)",
  );
}

/** Parses a duration; returns milliseconds. */
export function parseTimeout(text: string): number {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds <= 0)
    throw new InvalidArgumentError("It must be a duration, such as 2m.");
  return Number(nanoseconds) / 1e6;
}
