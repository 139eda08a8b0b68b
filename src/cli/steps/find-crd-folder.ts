import { join } from "node:path";
import { outerProjectRoot } from "../../project/find-project-root.ts";
import type { Io } from "../io.ts";

/** Returns the folder of the project's CRDs; `undefined` outside of a project. */
export async function findCrdFolder({ cwd, disk }: Io): Promise<string | undefined> {
  const root = await outerProjectRoot(cwd, disk);
  return root && join(root, "config/crd/bases");
}
