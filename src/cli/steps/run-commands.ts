import type { Io } from "../io.ts";

export const runCommandsHelp =
  "run the commands of containers on this machine, if it has the programs, and those of kubectl exec";

/** Warns on every run that commands of manifests run on this machine. */
export function warnOfCommands({ stderr }: Pick<Io, "stderr">): void {
  stderr.write("warning: --run-commands runs the commands of pods on this machine as your user, without isolation\n");
}
