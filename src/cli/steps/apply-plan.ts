import { join } from "node:path";
import type { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Applied, Plan } from "../../files/plan.ts";
import type { Io } from "../io.ts";

/** Flags of every command that writes. */
export interface WriteFlags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Adds these flags to a command. */
export function writing(command: Command): Command {
  return command.option("--dry-run", "print the changes as a diff and write nothing");
}

/**
 * Applies a plan and reports the files, or prints the diff. Returns `undefined` after a dry run. Call it in
 * `changeFolder`. Ctrl-C does not interrupt the write: it aborts `io.signal`, which longer work checks afterwards.
 */
export async function applyAndReport(
  io: Pick<Io, "disk" | "stdout" | "stderr" | "signal">,
  plan: Plan,
  flags: WriteFlags,
): Promise<Applied | undefined> {
  if (flags.dryRun) {
    const [{ diffPlan }, { refuseConflicts, settlePlan }] = await Promise.all([
      import("../../files/diff.ts"),
      import("../../files/settle.ts"),
    ]);
    if (!flags.force) refuseConflicts(await settlePlan(plan, io.disk));
    io.stdout.write(await diffPlan(plan, io.disk));
    return undefined;
  }
  if (io.signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  const [{ applyPlan }, { ownFolder }] = await Promise.all([
    import("../../files/apply.ts"),
    import("../../files/lock-folder.ts"),
  ]);
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
