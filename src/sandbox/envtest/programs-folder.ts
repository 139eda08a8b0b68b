import { existsSync } from "node:fs";
import { join } from "node:path";

/** The file by which the folder of `tsop envtest` is recognized. */
export const programsMark = "tsop-envtest.txt";

/** Reports whether a folder for KUBEBUILDER_ASSETS is that of `tsop envtest`. */
export function isProgramsFolder(folder: string): boolean {
  return existsSync(join(folder, programsMark));
}
