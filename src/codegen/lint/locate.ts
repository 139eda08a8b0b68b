import type { KindVersion } from "../model.ts";
import type { Place } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { membersOfDeclared, membersOfType, type Member } from "../types/members.ts";

export interface Located extends Place {
  /** False if the path continues in a type outside of the project. */
  readonly own: boolean;
}

/** Finds the declaration that a path of properties leads to, or the last one on the way. */
export function locate({ place, kind }: KindVersion, names: readonly string[], sources: ProjectSources): Located {
  const module = sources.module(place.file.path);
  const declared = module?.declarations.types.get(kind);
  let found: Place = place;
  let members: Member[] = module && declared ? membersOfDeclared(declared, module, sources) : [];
  for (const name of names) {
    const member = members.find((candidate) => candidate.name === name);
    if (!member) return { ...found, own: false };
    found = { file: member.module.file, offset: member.node.start };
    members = member.type ? membersOfType(member.type, member.module, sources) : [];
  }
  return { ...found, own: true };
}
