import { existsSync } from "node:fs";
import { join } from "node:path";

/** The file by which the folder of `tsop envtest` is recognized. */
export const programsMark = "tsop-envtest.txt";

/** Reports whether `tsop envtest` wrote a folder for KUBEBUILDER_ASSETS. */
export function isProgramsFolder(folder: string): boolean {
  return existsSync(join(folder, programsMark));
}
