import type { Expression, TSEnumDeclaration } from "oxc-parser";
import type { Declared, Import } from "./declarations.ts";
import type { Module, ProjectSources } from "./project-sources.ts";

/** The meaning of a name. */
export type Resolved =
  | { readonly is: "type"; readonly module: Module; readonly declared: Declared; readonly name: string }
  | { readonly is: "constant"; readonly module: Module; readonly init: Expression; readonly name: string }
  | { readonly is: "member"; readonly declaration: TSEnumDeclaration; readonly name: string }
  | { readonly is: "namespace"; readonly module: Module }
  | { readonly is: "package"; readonly specifier: string; readonly name: string };

/** Resolves a name inside a module; returns `undefined` if nothing declares it. */
export function resolveName(sources: ProjectSources, module: Module, name: string, as?: "value"): Resolved | undefined {
  return resolveIn({ sources, as, seen: new Set() }, module, name);
}

/** Resolves a name that another module exports. */
export function resolveExport(
  sources: ProjectSources,
  module: Module,
  name: string,
  as?: "value",
): Resolved | undefined {
  return exportOf({ sources, as, seen: new Set() }, module, name);
}

/** Resolves `import("specifier").Name`. */
export function resolveImport(sources: ProjectSources, module: Module, from: Import): Resolved | undefined {
  return follow({ sources, seen: new Set() }, module, from);
}

interface Walk {
  readonly sources: ProjectSources;
  /** Prefers the value of a name that is both a type and a constant. */
  readonly as?: "value" | undefined;
  /** Guards against modules that re-export each other in a circle. */
  readonly seen: Set<string>;
}

function resolveIn(walk: Walk, module: Module, name: string): Resolved | undefined {
  const { types, constants, imports } = module.declarations;
  const declared = types.get(name);
  const init = constants.get(name);
  if (declared && !(init && walk.as === "value")) return { is: "type", module, declared, name };
  if (init) return { is: "constant", module, init, name };
  const from = imports.get(name);
  return from && follow(walk, module, from);
}

function follow(walk: Walk, module: Module, { specifier, name }: Import): Resolved | undefined {
  const target = walk.sources.find(specifier, module);
  if (!target) return specifier.startsWith(".") ? undefined : { is: "package", specifier, name };
  return name === "*" ? { is: "namespace", module: target } : exportOf(walk, target, name);
}

function exportOf(walk: Walk, module: Module, name: string): Resolved | undefined {
  const step = `${module.file.path}:${name}`;
  if (walk.seen.has(step)) return undefined;
  walk.seen.add(step);
  const { exports, reExports, stars } = module.declarations;
  const local = exports.get(name);
  if (local !== undefined) return resolveIn(walk, module, local);
  const elsewhere = reExports.get(name);
  if (elsewhere) return follow(walk, module, elsewhere);
  for (const specifier of stars) {
    const found = follow(walk, module, { specifier, name });
    if (found) return found;
  }
  return undefined;
}
