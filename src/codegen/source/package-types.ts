import { posix } from "node:path";
import type { Disk } from "../../files/disk.ts";
import { groupName } from "../markers/package.ts";
import { valuesOf } from "./parse-markers.ts";
import type { Module, ProjectSources } from "./project-sources.ts";

/**
 * Reads the declarations of packages that API types import from, as far as they are used. Kubernetes types are built
 * in.
 */
export async function loadPackageTypes(sources: ProjectSources, root: string, disk: Pick<Disk, "read">): Promise<void> {
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
  const inPackage = from.file.path.includes("node_modules/");
  const candidates = specifier.startsWith(".")
    ? inPackage
      ? declarationFiles(posix.join(posix.dirname(from.file.path), specifier))
      : []
    : await packageEntries(specifier, root, disk);
  for (const path of candidates) {
    const text = await disk.read(posix.join(root, path));
    if (text === undefined) continue;
    sources.add(path, text, specifier.startsWith(".") ? undefined : specifier);
    return sources.module(path);
  }
  return undefined;
}

function declarationFiles(path: string): string[] {
  return [path.replace(/\.([mc]?)js$/, ".d.$1ts"), `${path}.d.ts`, `${path}/index.d.ts`, path];
}

/** Returns the possible paths of a package's type entry. */
async function packageEntries(specifier: string, root: string, disk: Pick<Disk, "read">): Promise<string[]> {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier) ?? [];
  const folder = `node_modules/${name}`;
  const text = await disk.read(posix.join(root, folder, "package.json"));
  const manifest = text === undefined ? undefined : parseManifest(text);
  if (!manifest) return [];
  const exported = typesIn(entryOf(manifest.exports, rest ? `./${rest}` : "."));
  const named = rest || (manifest.types ?? manifest.typings ?? manifest.main ?? "index");
  return [exported, named]
    .filter((path) => path !== undefined)
    .flatMap((path) => declarationFiles(posix.join(folder, path)));
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

/** Returns the first path that conditions lead to, `types` before others. */
function typesIn(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const conditions = entry as Record<string, unknown>;
  for (const condition of ["types", "import", "node", "default"]) {
    const path = condition in conditions ? typesIn(conditions[condition]) : undefined;
    if (path) return path;
  }
  return undefined;
}
