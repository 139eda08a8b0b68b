import { compareVersions } from "../../apimachinery/compare-versions.ts";
import type { CatalogueEntry, FieldDescriptor, KindVersion, ResourceDefinition } from "../../codegen/index.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { CrdDescription, Descriptor } from "../csv/csv.ts";
import { displayName } from "../csv/default-csv.ts";

/** The project's kinds as the generators see them. */
export interface ProjectKinds {
  readonly kinds: readonly KindVersion[];
  readonly resources: readonly ResourceDefinition[];
}

interface Ordered {
  readonly entry: CrdDescription;
  readonly order: number;
  readonly foreign: boolean;
}

/**
 * Describes the project's kinds from its types. A hand-written field of an entry is kept unless the types set it;
 * entries of foreign kinds keep their position.
 */
export function ownedCrds({ kinds, resources }: ProjectKinds, before: readonly CrdDescription[]): CrdDescription[] {
  const described = kinds.flatMap((kind): Ordered[] => {
    const definition = resources.find((resource) => resource.group === kind.group && resource.kind === kind.kind);
    if (!definition) return [];
    const entry = describe(kind, `${definition.plural}.${definition.group}`);
    const known = before.find((other) => isSame(entry, other));
    return [{ entry: { ...known, ...entry }, order: kind.catalogue.order ?? last, foreign: false }];
  });
  const foreign = before
    .map((entry, index) => ({ entry, order: index, foreign: true }))
    .filter(({ entry }) => !described.some((other) => isSame(entry, other.entry)));
  return [...described, ...foreign].toSorted(byOrder).map(({ entry }) => entry);
}

const last = Number.MAX_SAFE_INTEGER;

function describe({ kind, version, schema, catalogue }: KindVersion, name: string): CrdDescription {
  return {
    name,
    version,
    kind,
    displayName: catalogue.displayName ?? displayName(kind),
    ...(schema.description ? { description: schema.description } : {}),
    ...(catalogue.resources.length > 0 ? { resources: sortedResources(catalogue.resources, kind) } : {}),
    ...(catalogue.specDescriptors.length > 0 ? { specDescriptors: catalogue.specDescriptors.map(descriptor) } : {}),
    ...(catalogue.statusDescriptors.length > 0
      ? { statusDescriptors: catalogue.statusDescriptors.map(descriptor) }
      : {}),
  };
}

function descriptor({ path, displayName: title, description, xDescriptors }: FieldDescriptor): Descriptor {
  return {
    path,
    displayName: title ?? displayName(path.slice(path.lastIndexOf(".") + 1)),
    ...(description ? { description } : {}),
    ...(xDescriptors.length > 0 ? { "x-descriptors": [...xDescriptors] } : {}),
  };
}

function sortedResources(
  resources: CatalogueEntry["resources"],
  owner: string,
): { name: string; kind: string; version: string }[] {
  for (const { kind, version } of resources) {
    if (!kind || !version) throw new TsopError("TSOP_CSV_RESOURCE", { kind: owner });
  }
  return resources.map(({ name, kind, version }) => ({ name, kind, version })).toSorted(byName);
}

function byOrder(a: Ordered, b: Ordered): number {
  return a.order - b.order || Number(a.foreign) - Number(b.foreign) || (a.foreign ? 0 : byName(a.entry, b.entry));
}

interface Named {
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

/** Sorts the newest version first. */
function byName(a: Named, b: Named): number {
  const key = ({ name, kind }: Named): string => `${name}\0${kind}`;
  if (key(a) !== key(b)) return key(a) < key(b) ? -1 : 1;
  return compareVersions(a.version, b.version);
}

function isSame(a: CrdDescription, b: CrdDescription): boolean {
  const groupOf = ({ name }: CrdDescription): string => name.slice(name.indexOf(".") + 1);
  return a.kind === b.kind && a.version === b.version && groupOf(a) === groupOf(b);
}
