import type { ProjectTypes, ResourceDefinition } from "../../codegen/index.ts";
import type { CrdDescription } from "../csv/csv.ts";
import { displayName } from "../csv/display-name.ts";

/**
 * What the project's types tell of its kinds. A hand-written field of an entry stays unless the types say something
 * else; entries of kinds that are not of this project stay where they are.
 */
export function ownedCrds(
  types: Pick<ProjectTypes, "kinds"> & { readonly resources: readonly ResourceDefinition[] },
  before: readonly CrdDescription[],
): CrdDescription[] {
  const described = types.resources.flatMap(describe);
  const sameKind = (a: CrdDescription) => (b: CrdDescription) =>
    a.kind === b.kind && a.version === b.version && groupOf(a) === groupOf(b);
  const merged = described.map((entry) => ({ ...before.find(sameKind(entry)), ...entry }));
  const foreign = before.filter((entry) => !described.some(sameKind(entry)));
  return [...merged, ...foreign];
}

function describe({ kind, plural, group, versions }: ResourceDefinition): CrdDescription[] {
  return versions.map(({ name, schema }) => ({
    name: `${plural}.${group}`,
    version: name,
    kind,
    displayName: displayName(kind),
    ...(schema.description ? { description: schema.description } : {}),
  }));
}

function groupOf({ name }: CrdDescription): string {
  return name.slice(name.indexOf(".") + 1);
}
