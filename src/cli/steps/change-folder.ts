import type { Io } from "../io.ts";
import { recoveryText, waitingText } from "../terminal/lock-texts.ts";

export interface FolderChange {
  readonly root: string;
  /** The command, as others name it while they wait for it: `tsop create api`. */
  readonly command: string;
  readonly flags: { readonly dryRun?: boolean };
}

/**
 * Runs work that reads and changes a project while no other command does. A dry run changes nothing and does not wait.
 * From here on, Ctrl-C aborts `io.signal` and does not end the process, so that the lock is released.
 */
export async function changeFolder<T>(
  io: Pick<Io, "disk" | "stderr" | "signal">,
  { root, command, flags }: FolderChange,
  work: () => Promise<T>,
): Promise<T> {
  if (flags.dryRun) return work();
  const { lockFolder } = await import("../../files/lock-folder.ts");
  const lock = await lockFolder(root, io.disk, {
    purpose: command,
    signal: io.signal,
    onWait: (holder) => io.stderr.write(`${waitingText(holder)}\n`),
  });
  try {
    if (lock.recovered) io.stderr.write(`${recoveryText(lock.recovered)}\n`);
    return await work();
  } finally {
    await lock.release();
  }
}
