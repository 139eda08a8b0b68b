import type { Io } from "../io.ts";

export const runCommandsHelp = "run the commands of containers on this machine, for pods that run to an end";

/** Warns on every run that commands of manifests run on this machine. */
export function warnOfCommands({ stderr }: Pick<Io, "stderr">): void {
  stderr.write(
    "warning: --run-commands runs what pods name as their command on this machine, as you, without isolation\n",
  );
}
