import type { TSType, TSTypeName } from "oxc-parser";
import type { Place } from "../report.ts";
import type { Module } from "../source/project-sources.ts";

/** The context of a type expression: its module, the bound type parameters, and the path for messages. */
export interface Scope {
  readonly module: Module;
  readonly parameters: ReadonlyMap<string, Bound>;
  /** `MemcachedSpec.size`. */
  readonly path: string;
  /** The named types under evaluation, outermost first. */
  readonly stack: readonly string[];
}

/** A type expression with the scope in which it was written. */
export interface Bound {
  readonly node: TSType;
  readonly scope: Scope;
}

/** Returns the scope of a property. */
export function within(scope: Scope, property: string): Scope {
  return { ...scope, path: `${scope.path}.${property}` };
}

export function placeOf(node: { readonly start: number }, scope: Scope): Place {
  return { file: scope.module.file, offset: node.start };
}

/** Splits `a.b.C` into names. */
export function namesOf(name: TSTypeName): string[] {
  if (name.type === "TSQualifiedName") return [...namesOf(name.left), name.right.name];
  return [name.type === "Identifier" ? name.name : "this"];
}
