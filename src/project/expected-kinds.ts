import { findYamlScalar } from "../apimachinery/yaml/parse.ts";
import type { Place } from "../apimachinery/yaml/place.ts";
import type { LoadedProject } from "./load-project.ts";
import { qualifiedGroup } from "./project.ts";

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
