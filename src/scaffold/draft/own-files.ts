import type { Disk } from "../../files/disk.ts";
import type { Project } from "../../project/project.ts";
import type { Draft } from "./draft.ts";

/** A change of the whole project in the making. */
export interface Editing {
  readonly draft: Draft;
  readonly disk: Pick<Disk, "list" | "read">;
  readonly root: string;
}

/** The project's own files; what is installed or built is none of them. */
export async function ownFiles({ disk, root }: Editing): Promise<string[]> {
  const skipped = new Set(["node_modules", "bin", "dist", "vendor", ".git", ".tsop"]);
  return disk.list(root, { skip: (name) => skipped.has(name) });
}

/** The project with a switch on, or without it. */
export function withSwitch(project: Project, name: "multigroup" | "namespaced", isOn: boolean): Project {
  const { [name]: _before, ...rest } = project;
  return isOn ? { ...rest, [name]: true } : rest;
}
