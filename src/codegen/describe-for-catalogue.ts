import { compareText } from "../apimachinery/compare-text.ts";
import { csvField, csvKind } from "./markers/csv-markers.ts";
import { valuesOf, type ParsedMarker } from "./source/parse-markers.ts";
import { describe } from "./source/description.ts";
import type { Declared } from "./source/declarations.ts";
import type { Module, ProjectSources } from "./source/project-sources.ts";
import { membersOfDeclared, membersOfType, type Member } from "./types/members.ts";

/** The `+operator-sdk:csv:customresourcedefinitions` markers of a kind and its fields. */
export interface CatalogueEntry {
  readonly displayName?: string;
  readonly order?: number;
  readonly resources: readonly { readonly kind: string; readonly version: string; readonly name: string }[];
  readonly specDescriptors: readonly FieldDescriptor[];
  readonly statusDescriptors: readonly FieldDescriptor[];
}

/** The presentation of a field in a catalogue. */
export interface FieldDescriptor {
  /** Below spec or status, such as `containers[0].image`. */
  readonly path: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly xDescriptors: readonly string[];
  readonly order?: number;
}

/** Reads the entry of a root type; descriptors are sorted by their order, then by path. */
export function describeForCatalogue(declared: Declared, module: Module, sources: ProjectSources): CatalogueEntry {
  const said = valuesOf(module.markers.byDeclaration.get(declared.start) ?? [], csvKind);
  const displayName = said.findLast((value) => value.displayName)?.displayName;
  const order = said.findLast((value) => value.order !== undefined)?.order;
  const resources = said
    .flatMap((value) => value.resources ?? [])
    .map(([kind = "", version = "", name = ""]) => ({ kind, version, name }));
  const members = membersOfDeclared(declared, module, sources);
  return {
    ...(displayName ? { displayName } : {}),
    ...(order === undefined ? {} : { order }),
    resources,
    specDescriptors: descriptors("spec", members, sources),
    statusDescriptors: descriptors("status", members, sources),
  };
}

function descriptors(branch: "spec" | "status", root: readonly Member[], sources: ProjectSources): FieldDescriptor[] {
  const member = root.find(({ name }) => name === branch);
  const found = member ? below(member, { branch, sources, inside: [], prefix: "" }) : [];
  const last = Number.MAX_SAFE_INTEGER;
  return found.sort((a, b) => (a.order ?? last) - (b.order ?? last) || compareText(a.path, b.path));
}

interface Walk {
  readonly branch: "spec" | "status";
  readonly sources: ProjectSources;
  /** The enclosing types: a type that contains itself ends the walk. */
  readonly inside: readonly object[];
  readonly prefix: string;
}

function below({ type, module, node }: Member, walk: Walk): FieldDescriptor[] {
  if (!type || walk.inside.includes(node)) return [];
  return membersOfType(type, module, walk.sources).flatMap((member) => {
    const path = walk.prefix + member.name;
    const prefix = `${path}${member.type?.type === "TSArrayType" ? "[0]" : ""}.`;
    const children = below(member, { ...walk, inside: [...walk.inside, node], prefix });
    const own = descriptor(member, path, walk.branch);
    return own ? [own, ...children] : children;
  });
}

function descriptor({ module, node }: Member, path: string, branch: string): FieldDescriptor | undefined {
  const markers: readonly ParsedMarker[] = module.markers.byDeclaration.get(node.start) ?? [];
  const said = valuesOf(markers, csvField).filter(({ type }) => type === branch);
  if (said.length === 0) return undefined;
  const displayName = said.find((value) => value.displayName)?.displayName;
  const order = said.find((value) => value.order !== undefined)?.order;
  const description = describe(module.file.comments.get(node.start));
  return {
    path,
    ...(displayName ? { displayName } : {}),
    ...(description ? { description } : {}),
    xDescriptors: said.flatMap(({ xDescriptors = [] }) => xDescriptors),
    ...(order === undefined ? {} : { order }),
  };
}
