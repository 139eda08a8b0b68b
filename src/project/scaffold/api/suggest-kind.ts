import { editDistance, nearestWord } from "../../../apimachinery/edit-distance.ts";
import type { Project } from "../../project.ts";
import { builtinKinds, type NamedKind } from "./builtin-kinds.ts";

/** Returns the flags of the kind that is meant by misspelled ones, of the project or of Kubernetes. */
export function suggestKind({ resources = [] }: Project, given: NamedKind): string | undefined {
  const own = resources.map(({ group = "", version, kind }) => ({ group, version, kind }));
  const near = [...own, ...builtinKinds()].filter(
    ({ group, kind }) => resembles(given.group, group) && resembles(given.kind, kind),
  );
  const [nearest] = near.toSorted((a, b) => distance(given, a) - distance(given, b));
  if (!nearest) return undefined;
  const group = nearest.group ? `--group ${nearest.group} ` : "";
  return `did you mean ${group}--version ${nearest.version} --kind ${nearest.kind}?`;
}

function resembles(word: string, known: string): boolean {
  return word === known || nearestWord(word, [known]) !== undefined;
}

/** A kind with the right names in another version is nearer than one with other names. */
function distance(given: NamedKind, { group, version, kind }: NamedKind): number {
  return 3 * (editDistance(given.group, group) + editDistance(given.kind, kind)) + editDistance(given.version, version);
}
