import { findProjectRoot } from "../../project/find-project-root.ts";
import type { Io } from "../io.ts";
import { applyAndReport } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";
import { generateAfter } from "./generate-after.ts";

/** Brings the generated files up to date before a command reads them, as `tsop run --local` does. */
export async function generateBefore(io: Io, command: string): Promise<void> {
  const root = await findProjectRoot(io.cwd, io.disk);
  await changeFolder(io, { root, command, flags: {} }, async () =>
    applyAndReport(io, await generateAfter(io, { root, changes: [] }), { force: true }),
  );
}
