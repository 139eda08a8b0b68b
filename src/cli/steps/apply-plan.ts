import { join } from "node:path";
import type { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Applied, Plan } from "../../files/plan.ts";
import type { Io } from "../io.ts";
import { recoveryText, waitingText } from "../terminal/texts.ts";

/** Flags of every command that writes. */
export interface WriteFlags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

type WritingIo = Pick<Io, "disk" | "stdout" | "stderr" | "signal">;

/** Adds these flags to a command. */
export function writing(command: Command): Command {
  return command.option("--dry-run", "print the changes as a diff and write nothing");
}

/**
 * Applies a plan and reports the files, or prints the diff. Returns `undefined` after a dry run. Call it in
 * `changeFolder`. Ctrl-C does not interrupt the write: it aborts `io.signal`, which longer work checks afterwards.
 */
export async function applyAndReport(io: WritingIo, plan: Plan, flags: WriteFlags): Promise<Applied | undefined> {
  if (flags.dryRun) {
    const { diffPlan } = await import("../../files/diff.ts");
    const { refuseConflicts, settlePlan } = await import("../../files/settle.ts");
    if (!flags.force) refuseConflicts(await settlePlan(plan, io.disk));
    io.stdout.write(await diffPlan(plan, io.disk));
    return undefined;
  }
  if (io.signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  const { applyPlan } = await import("../../files/apply.ts");
  const { ownFolder } = await import("../../files/lock-folder.ts");
  const record = join(plan.root, ownFolder);
  const applied = await applyPlan(plan, io.disk, { force: flags.force ?? false, record });
  const lines = [
    ...applied.created.map((path) => `  created  ${path}`),
    ...applied.updated.map((path) => `  changed  ${path}`),
    ...applied.removed.map((path) => `  removed  ${path}`),
  ];
  if (lines.length > 0) io.stderr.write(`${lines.join("\n")}\n`);
  return applied;
}

interface FolderChange {
  readonly root: string;
  /** The command, as others name it while they wait for it: `tsop create api`. */
  readonly command: string;
  readonly flags: WriteFlags;
}

/** Makes a plan while no other command changes the project, and applies and reports it. */
export async function changeAndReport(
  io: WritingIo,
  change: FolderChange,
  makePlan: () => Plan | Promise<Plan>,
): Promise<Applied | undefined> {
  return changeFolder(io, change, async () => applyAndReport(io, await makePlan(), change.flags));
}

/** Returns the terminal of a command with `--quiet`, which prints errors only. */
export function quietIf(quiet: boolean | undefined, { disk, stdout, stderr, signal }: Io): WritingIo {
  return { disk, stdout, stderr: quiet ? { ...stderr, write: () => {} } : stderr, signal };
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
