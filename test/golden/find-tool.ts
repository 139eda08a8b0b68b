import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of a program in KUBEBUILDER_ASSETS or on the PATH. */
export function findTool(name: string): string | undefined {
  const folders = [process.env["KUBEBUILDER_ASSETS"] ?? "", ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
