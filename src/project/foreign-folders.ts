import { posix } from "node:path";
import type { Project } from "./project.ts";

/** Returns the folders, relative to the project, that have the types of other projects' kinds. */
export function foreignFolders({ resources = [] }: Project): string[] {
  const paths = resources.flatMap(({ external, path = "" }) => (external && path.startsWith("./") ? [path] : []));
  return [...new Set(paths.map((path) => posix.normalize(posix.dirname(path))))];
}
