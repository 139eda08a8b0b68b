import { posix } from "node:path";
import { groupBy } from "../../apimachinery/group-by.ts";
import type { Disk } from "../../files/disk.ts";
import { isDeclarationFile, isTestFile, isTypeScript } from "../../files/typescript-files.ts";
import { parseMarkers, type FileMarkers, type ParsedMarker } from "./parse-markers.ts";
import { Report } from "../report.ts";
import { readDeclarations, markerTargets, type Declarations } from "./declarations.ts";
import type { PathAliases } from "./path-aliases.ts";
import { SourceFile } from "./source-file.ts";

/** A parsed file with its declarations and markers. */
export interface Module {
  readonly file: SourceFile;
  readonly declarations: Declarations;
  readonly markers: FileMarkers;
  /** The package-level markers of all files in the module's folder. */
  folderMarkers(): readonly ParsedMarker[];
}

/** All sources of a project by path. A file is parsed when it is first used. */
export class ProjectSources {
  /** Where an installed package should have its types, by the imports that found none there. */
  readonly untyped: Map<string, string> = new Map();
  private readonly texts: Map<string, string>;
  private readonly report: Report;
  private readonly aliases: PathAliases;
  private readonly packages = new Map<string, string>();
  private readonly modules = new Map<string, Module>();
  private folders: ReadonlyMap<string, readonly Module[]> | undefined;

  constructor(texts: ReadonlyMap<string, string>, report: Report, aliases: PathAliases = () => []) {
    this.texts = new Map(texts);
    this.report = report;
    this.aliases = aliases;
  }

  /** Adds a file of a package; `specifier` is its name in imports. */
  add(path: string, text: string, specifier?: string): void {
    this.texts.set(path, text);
    if (specifier !== undefined) this.packages.set(specifier, path);
  }

  /**
   * Finds a module by TypeScript's rules: a path with `.ts`, with its `.js` name, without extension, or a folder's
   * index; aliases; packages.
   */
  find(specifier: string, from: Module): Module | undefined {
    const paths = [...this.pathsOf(specifier, from), this.packages.get(specifier) ?? []].flat();
    const found = paths.flatMap(typedFiles).find((path) => this.texts.has(path));
    return found === undefined ? undefined : this.module(found);
  }

  /** Returns the paths that a relative specifier or an alias stands for, perhaps without the end of the file's name. */
  pathsOf(specifier: string, from: Pick<Module, "file">): readonly string[] {
    if (specifier.startsWith(".")) return [posix.join(posix.dirname(from.file.path), specifier)];
    return this.aliases(specifier);
  }

  module(path: string): Module | undefined {
    const known = this.modules.get(path);
    const text = this.texts.get(path);
    if (known || text === undefined) return known;
    const file = new SourceFile(path, text);
    // Errors in a package are not for this project to fix.
    const report = isInPackage(path) ? new Report() : this.report;
    const [broken] = file.syntaxErrors;
    if (broken) report.error({ file, offset: broken.offset }, "TSOP_SYNTAX", { reason: broken.message });
    const declarations = readDeclarations(file.program);
    // In a file that does not parse, markers may precede no declaration, which is not their error.
    const markers = parseMarkers(file, markerTargets(declarations), broken ? new Report() : report);
    const folder = posix.dirname(path);
    const module = { file, declarations, markers, folderMarkers: () => this.folderMarkers(folder) };
    this.modules.set(path, module);
    return module;
  }

  /** Returns the package-level markers of all files in a folder, in file order. */
  folderMarkers(folder: string): readonly ParsedMarker[] {
    return (this.markedFolders().get(folder) ?? []).flatMap(({ markers }) => markers.package);
  }

  /** Returns the files that can hold markers, by folder. */
  markedFolders(): ReadonlyMap<string, readonly Module[]> {
    const modules = () =>
      [...this.texts].flatMap(([path, text]) => (mayHoldMarker.test(text) ? (this.module(path) ?? []) : []));
    return (this.folders ??= groupBy(modules(), ({ file }) => posix.dirname(file.path)));
  }
}

/** Returns the possible files of a path in an import, in TypeScript's order: sources before declarations. */
export function typedFiles(path: string): string[] {
  return [".ts", ".d.ts"].flatMap((end) => [
    path.replace(/\.([mc]?)js$/, end.replace("ts", "$1ts")),
    path + end,
    `${path}/index${end}`,
  ]);
}

/** Reports whether a file, relative to the project, belongs to an installed package. */
export function isInPackage(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

const mayHoldMarker = /^[ \t]*(\/\/|\/?\*+)[ \t]*\+[A-Za-z]/m;

/** Lists all TypeScript files of a project, relative to it. */
export async function listTypeScript(root: string, disk: Pick<Disk, "list">): Promise<string[]> {
  const paths = await disk.list(root, { skip: holdsNoSources });
  return paths.filter(isTypeScript);
}

function holdsNoSources(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || name === "dist";
}

/** Reads the sources among these files, without tests, declaration files and generated files. */
export async function readSources(
  root: string,
  paths: readonly string[],
  disk: Pick<Disk, "read">,
): Promise<Map<string, string>> {
  const sources = paths.filter(
    (path) => !isTestFile(path) && !isDeclarationFile(path) && !/(^|\/)zz_generated[^/]*$/.test(path),
  );
  const texts = await Promise.all(sources.map((path) => disk.read(posix.join(root, path))));
  return new Map(sources.flatMap((path, index) => (texts[index] === undefined ? [] : [[path, texts[index]] as const])));
}
