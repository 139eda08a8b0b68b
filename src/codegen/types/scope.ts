import type { TSType, TSTypeName } from "oxc-parser";
import type { Place } from "../report.ts";
import type { Module } from "../source/project-sources.ts";

/** Where a type expression stands: its module, the type parameters in force, and the path for messages. */
export interface Scope {
  readonly module: Module;
  readonly parameters: ReadonlyMap<string, Bound>;
  /** `MemcachedSpec.size`. */
  readonly path: string;
  /** The named types that are being evaluated, outermost first. */
  readonly stack: readonly string[];
}

/** A type expression together with where it was written. */
export interface Bound {
  readonly node: TSType;
  readonly scope: Scope;
}

/** The same scope, one property further in. */
export function within(scope: Scope, property: string): Scope {
  return { ...scope, path: `${scope.path}.${property}` };
}

export function placeOf(node: { readonly start: number }, scope: Scope): Place {
  return { file: scope.module.file, offset: node.start };
}

/** `a.b.C` as a list of names. */
export function namesOf(name: TSTypeName): string[] {
  if (name.type === "TSQualifiedName") return [...namesOf(name.left), name.right.name];
  return [name.type === "Identifier" ? name.name : "this"];
}
