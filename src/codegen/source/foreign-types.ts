import { posix } from "node:path";
import type { Disk } from "../../files/disk.ts";
import { withSlashes } from "../../files/slashes.ts";
import { isDeclarationFile } from "../../files/typescript-files.ts";
import { groupName } from "../markers/package.ts";
import { valuesOf } from "./parse-markers.ts";
import { exportedTypes } from "./path-aliases.ts";
import { isInPackage, typedFiles, type Module, type ProjectSources } from "./project-sources.ts";

/**
 * Reads the files that API types import from packages and from folders outside of the project, as far as they are used.
 * Kubernetes types are built in.
 */
export async function loadForeignTypes(sources: ProjectSources, root: string, disk: Pick<Disk, "read">): Promise<void> {
  const apiFolders = [...sources.markedFolders()].filter(
    ([folder]) => valuesOf(sources.folderMarkers(folder), groupName).length > 0,
  );
  const queue: Module[] = apiFolders.flatMap(([, modules]) => modules);
  const seen = new Set(queue);
  for (let module = queue.shift(); module; module = queue.shift()) {
    for (const specifier of specifiersIn(module)) {
      const target = await load(specifier, module, { sources, root, disk });
      if (!target || seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
}

interface Surroundings {
  readonly sources: ProjectSources;
  readonly root: string;
  readonly disk: Pick<Disk, "read">;
}

const known = /^(tsop(\/.*)?|@kubernetes\/client-node|node:.*)$/;

function specifiersIn({ declarations }: Module): Set<string> {
  const { imports, reExports, stars } = declarations;
  return new Set([...[...imports.values(), ...reExports.values()].map(({ specifier }) => specifier), ...stars]);
}

async function load(
  specifier: string,
  from: Module,
  { sources, root, disk }: Surroundings,
): Promise<Module | undefined> {
  const found = sources.find(specifier, from);
  if (found || known.test(specifier)) return found;
  const candidates = sources.pathsOf(specifier, from).flatMap(typedFiles).filter(isNoSource);
  const entries = specifier.startsWith(".") ? [] : await packageEntries(specifier, from, { root, disk });
  candidates.push(...entries.flatMap(typedFiles));
  for (const path of candidates) {
    const text = await disk.read(posix.join(root, path));
    if (text === undefined) continue;
    sources.add(path, text, specifier.startsWith(".") ? undefined : specifier);
    return sources.module(path);
  }
  if (entries[0] !== undefined) sources.untyped.set(specifier, entries[0]);
  return undefined;
}

/** Reports whether a file lies outside of the project's sources, which are read before. */
function isNoSource(path: string): boolean {
  return isInPackage(path) || path.startsWith("../") || isDeclarationFile(path);
}

/** Returns the paths that a package names for its types, perhaps without the end of the file's name. */
async function packageEntries(
  specifier: string,
  { file }: Module,
  { root, disk }: Omit<Surroundings, "sources">,
): Promise<string[]> {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier) ?? [];
  const top = withSlashes(root);
  for (const parent of foldersAbove(posix.join(top, file.path))) {
    const folder = posix.join(posix.relative(top, parent), "node_modules", name);
    const text = await disk.read(posix.join(root, folder, "package.json"));
    const manifest = text === undefined ? undefined : parseManifest(text);
    if (!manifest) continue;
    const exported = exportedTypes(entryOf(manifest.exports, rest ? `./${rest}` : "."));
    const named = rest || (manifest.types ?? manifest.typings ?? manifest.main ?? "index");
    return [exported, named].filter((path) => path !== undefined).map((path) => posix.join(folder, path));
  }
  return [];
}

/** Returns the folders in which Node looks for the packages of a file; in a workspace, some are above the project. */
function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

interface Manifest {
  readonly types?: string;
  readonly typings?: string;
  readonly main?: string;
  readonly exports?: unknown;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    // The import itself is reported: its type cannot be found.
    return undefined;
  }
}

function entryOf(exports: unknown, subpath: string): unknown {
  if (typeof exports !== "object" || exports === null) return subpath === "." ? exports : undefined;
  const entries = exports as Record<string, unknown>;
  return subpath in entries ? entries[subpath] : subpath === "." && !("." in entries) ? exports : undefined;
}
