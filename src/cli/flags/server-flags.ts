import { kubernetesRelease, kubernetesVersions, releaseOf } from "../../apimachinery/kubernetes-version.ts";
import type { Io } from "../io.ts";
import type { Command } from "commander";
import { UsageError } from "../../errors/tsop-error.ts";
import { parsePort } from "./parse-values.ts";

const releases = kubernetesVersions.map(releaseOf).join(" or ");

/** The help of `--kubernetes-version`. */
export const kubernetesVersionHelp: string = `version of Kubernetes that the embedded API server serves: ${releases} (default: ${kubernetesRelease})`;

export const persistHelp = "folder that keeps the server's objects, authority and tokens between runs";

export const runCommandsHelp =
  "run the commands of containers on this machine, if it has the programs, and those of kubectl exec";

/** Warns on every run that commands of manifests run on this machine. */
export function warnOfCommands({ stderr }: Pick<Io, "stderr">): void {
  stderr.write("warning: --run-commands runs the commands of pods on this machine as your user, without isolation\n");
}

export interface UiFlags {
  readonly ui?: true;
  readonly uiPort?: number;
  readonly uiReadOnly?: true;
}

/** Adds the flags of the window. */
export function addUiFlags(command: Command): Command {
  return command
    .option("--ui", "serve a page on 127.0.0.1 that shows objects, reconciles and requests, and print its URL")
    .option("--ui-port <number>", "with --ui: port of the page (default: a free one)", parsePort)
    .option("--ui-read-only", "with --ui: the page cannot write");
}

/** Returns the options of the page; `undefined` without `--ui`. */
export function uiOptions({ ui, uiPort, uiReadOnly }: UiFlags): { port?: number; readOnly?: boolean } | undefined {
  if (!ui && uiPort !== undefined) throw new UsageError("--ui-port needs --ui");
  if (!ui && uiReadOnly) throw new UsageError("--ui-read-only needs --ui");
  if (!ui) return undefined;
  return { ...(uiPort !== undefined && { port: uiPort }), ...(uiReadOnly && { readOnly: true }) };
}
