import type { TSType } from "oxc-parser";
import type { Declared } from "../source/declarations.ts";
import type { Module, ProjectSources } from "../source/project-sources.ts";
import { resolveName } from "../source/resolve.ts";
import { propertyOf, type Property } from "./object-types.ts";
import { namesOf } from "./scope.ts";

/** A property with the module that declares it. */
export interface Member extends Property {
  readonly module: Module;
}

/** Lists the declared properties of a type, followed by the properties of its bases. */
export function membersOfDeclared(declared: Declared, module: Module, sources: ProjectSources): Member[] {
  return ofDeclared(declared, module, { sources, inside: [] });
}

/** Lists the properties of a type expression; looks through lists, maps, `| null` and names. */
export function membersOfType(node: TSType, module: Module, sources: ProjectSources): Member[] {
  return ofType(node, module, { sources, inside: [] });
}

interface Walk {
  readonly sources: ProjectSources;
  /** The enclosing types: a type that names itself has no members of its own. */
  readonly inside: readonly Declared[];
}

function ofDeclared(declared: Declared, module: Module, outer: Walk): Member[] {
  if (outer.inside.includes(declared)) return [];
  const walk: Walk = { ...outer, inside: [...outer.inside, declared] };
  const { node } = declared;
  if (node.type === "TSTypeAliasDeclaration") return ofType(node.typeAnnotation, module, walk);
  if (node.type === "TSEnumDeclaration") return [];
  if (node.type !== "TSInterfaceDeclaration") return declaredMembers(node.body.body.map(asProperty), module);
  const bases = node.extends.flatMap(({ expression }) =>
    expression.type === "Identifier" ? ofName(expression.name, module, walk) : [],
  );
  return [...declaredMembers(node.body.body.map(propertyOf), module), ...bases];
}

function ofType(node: TSType, module: Module, walk: Walk): Member[] {
  if (node.type === "TSTypeLiteral") return declaredMembers(node.members.map(propertyOf), module);
  if (node.type === "TSArrayType") return ofType(node.elementType, module, walk);
  if (node.type === "TSParenthesizedType" || node.type === "TSTypeOperator") {
    return ofType(node.typeAnnotation, module, walk);
  }
  if (node.type === "TSUnionType" || node.type === "TSIntersectionType") {
    return node.types.flatMap((part) => ofType(part, module, walk));
  }
  if (node.type !== "TSTypeReference") return [];
  const [name = ""] = namesOf(node.typeName);
  if (resolveName(walk.sources, module, name)) return ofName(name, module, walk);
  // Array<T>, Record<string, T>, Partial<T>: T has the properties.
  const inner = node.typeArguments?.params[name === "Record" ? 1 : 0];
  return inner ? ofType(inner, module, walk) : [];
}

function ofName(name: string, module: Module, walk: Walk): Member[] {
  const found = resolveName(walk.sources, module, name);
  return found?.is === "type" ? ofDeclared(found.declared, found.module, walk) : [];
}

function asProperty(member: { type: string }): Property | undefined {
  return member.type === "PropertyDefinition" ? propertyOf(member as Parameters<typeof propertyOf>[0]) : undefined;
}

function declaredMembers(properties: readonly (Property | undefined)[], module: Module): Member[] {
  return properties.filter((property) => property !== undefined).map((property) => ({ ...property, module }));
}
