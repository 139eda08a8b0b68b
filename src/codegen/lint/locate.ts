import type { TSType } from "oxc-parser";
import type { KindVersion } from "../model.ts";
import type { Place } from "../report.ts";
import type { Declared } from "../source/declarations.ts";
import type { Module, ProjectSources } from "../source/project-sources.ts";
import { resolveName } from "../source/resolve.ts";
import { propertyOf, type Property } from "../types/object-types.ts";
import { namesOf } from "../types/scope.ts";

export interface Located extends Place {
  /** False when the path goes on in a type that is no part of the project. */
  readonly own: boolean;
}

/** The place in the sources that a path of properties leads to, or the last place on the way that can be found. */
export function locate(kind: KindVersion, names: readonly string[], sources: ProjectSources): Located {
  let place = kind.place;
  let here: Members | undefined = membersOf(kind, sources);
  for (const name of names) {
    const property = here?.properties.find((candidate) => candidate.name === name);
    if (!here || !property) return { ...place, own: false };
    place = { file: here.module.file, offset: property.node.start };
    here = property.type && membersOfType(property.type, here.module, sources);
  }
  return { ...place, own: true };
}

interface Members {
  readonly module: Module;
  readonly properties: readonly Property[];
}

function membersOf({ place, kind }: KindVersion, sources: ProjectSources): Members | undefined {
  const module = sources.module(place.file.path);
  const declared = module?.declarations.types.get(kind);
  return module && declared && membersOfDeclared(declared, module, sources);
}

function membersOfDeclared({ node }: Declared, module: Module, sources: ProjectSources): Members | undefined {
  if (node.type === "TSInterfaceDeclaration") return { module, properties: own(node.body.body.map(propertyOf)) };
  return node.type === "TSTypeAliasDeclaration" ? membersOfType(node.typeAnnotation, module, sources) : undefined;
}

/** Looks through lists, maps, `| null` and names. */
function membersOfType(node: TSType, module: Module, sources: ProjectSources): Members | undefined {
  if (node.type === "TSParenthesizedType" || node.type === "TSTypeOperator") {
    return membersOfType(node.typeAnnotation, module, sources);
  }
  if (node.type === "TSTypeLiteral") return { module, properties: own(node.members.map(propertyOf)) };
  if (node.type === "TSArrayType") return membersOfType(node.elementType, module, sources);
  if (node.type === "TSUnionType") return node.types[0] && membersOfType(node.types[0], module, sources);
  if (node.type !== "TSTypeReference") return undefined;
  const [name = ""] = namesOf(node.typeName);
  const found = resolveName(sources, module, name);
  if (found?.is === "type") return membersOfDeclared(found.declared, found.module, sources);
  const inner = node.typeArguments?.params.at(-1);
  return inner && membersOfType(inner, module, sources);
}

function own(properties: readonly (Property | undefined)[]): Property[] {
  return properties.filter((property) => property !== undefined);
}
