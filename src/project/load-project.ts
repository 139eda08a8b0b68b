import { join } from "node:path";
import { findProjectRoot } from "./find-project-root.ts";
import { parseProject } from "./parse-project.ts";
import type { Project } from "./project.ts";

/** A project on disk. */
export interface LoadedProject {
  readonly root: string;
  /** The text of PROJECT, so that it can be edited in place. */
  readonly text: string;
  readonly project: Project;
}

interface Reader {
  read(path: string): Promise<string | undefined>;
}

/** Finds the project that a folder belongs to, and reads its PROJECT file. */
export async function loadProject(cwd: string, disk: Reader): Promise<LoadedProject> {
  const root = await findProjectRoot(cwd, disk);
  const file = join(root, "PROJECT");
  const text = (await disk.read(file)) ?? "";
  return { root, text, project: parseProject(text, file) };
}
