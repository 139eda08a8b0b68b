import type { Disk } from "../../../files/disk.ts";
import type { Project } from "../../project.ts";
import type { Draft } from "./draft.ts";

/** A change of the whole project under construction. */
export interface Editing {
  readonly draft: Draft;
  readonly disk: Pick<Disk, "list" | "read">;
  readonly root: string;
}

/** Lists the project's own files, without installed and built ones. */
export async function ownFiles({ disk, root }: Pick<Editing, "disk" | "root">): Promise<string[]> {
  const skipped = new Set(["node_modules", "bin", "dist", "vendor", ".git", ".tsop"]);
  return disk.list(root, { skip: (name) => skipped.has(name) });
}

/** Returns the project with a switch on or off. */
export function withSwitch(project: Project, name: "multigroup" | "namespaced", isOn: boolean): Project {
  const { [name]: _before, ...rest } = project;
  return isOn ? { ...rest, [name]: true } : rest;
}

/** Returns the project in the other layout: that of one group if it has the one of several, or the other way around. */
export function inOtherLayout(project: Project): Project {
  return withSwitch(project, "multigroup", !project.multigroup);
}
