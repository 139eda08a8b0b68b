import { join, dirname } from "node:path";
import { parseProject } from "./parse-project.ts";
import { qualifiedGroup, type Project } from "./project.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { findYamlScalar } from "../apimachinery/yaml/parse.ts";
import type { Place } from "../apimachinery/yaml/place.ts";

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

/** Returns the nearest folder, from `cwd` upwards, that holds a PROJECT file. */
export async function findProjectRoot(cwd: string, disk: Reader): Promise<string> {
  const root = await outerProjectRoot(cwd, disk);
  if (root === undefined) throw new TsopError("TSOP_PROJECT_NOT_FOUND", { cwd });
  return root;
}

/** Returns the nearest folder with a PROJECT file, if there is one. */
export async function outerProjectRoot(start: string, disk: Reader): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await disk.read(join(folder, "PROJECT"))) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

interface Reader {
  read(path: string): Promise<string | undefined>;
}

/** A kind that PROJECT says the project defines, for the generators. */
export interface ExpectedKind {
  /** With its domain. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The command that removes it. */
  readonly removal: string;
  /** Finds its place in PROJECT, which only an error names. */
  readonly place: () => Place;
}

/** Returns the kinds that the project defines. */
export function expectedKinds({ project, text }: Pick<LoadedProject, "project" | "text">): ExpectedKind[] {
  const own = (project.resources ?? []).filter(({ api }) => api);
  return own.map((resource) => {
    const { group, version, kind } = resource;
    const removal = `tsop delete api ${group ? `--group ${group} ` : ""}--version ${version} --kind ${kind}`;
    const place = (): Place => findYamlScalar(text, kind);
    return { group: qualifiedGroup(resource), version, kind, removal, place };
  });
}
