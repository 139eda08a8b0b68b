import { posix } from "node:path";
import type { Disk } from "../../files/disk.ts";
import { parseMarkers, type FileMarkers, type ParsedMarker } from "../markers/parse-markers.ts";
import type { Report } from "../report.ts";
import { readDeclarations, type Declarations } from "./declarations.ts";
import { markerTargets } from "./marker-targets.ts";
import { SourceFile } from "./source-file.ts";

/** A parsed file with what it declares and the markers in its comments. */
export interface Module {
  readonly file: SourceFile;
  readonly declarations: Declarations;
  readonly markers: FileMarkers;
  /** The package-level markers of all files in the module's folder. */
  folderMarkers(): readonly ParsedMarker[];
}

/** All sources of a project by path; a file is parsed when it is first asked for. */
export class ProjectSources {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #report: Report;
  readonly #modules = new Map<string, Module>();
  #folders: ReadonlyMap<string, readonly Module[]> | undefined;

  constructor(texts: ReadonlyMap<string, string>, report: Report) {
    this.#texts = texts;
    this.#report = report;
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  module(path: string): Module | undefined {
    const known = this.#modules.get(path);
    const text = this.#texts.get(path);
    if (known || text === undefined) return known;
    const file = new SourceFile(path, text);
    const [broken] = file.syntaxErrors;
    if (broken) this.#report.error({ file, offset: broken.offset }, "TSOP_SYNTAX", { reason: broken.message });
    const declarations = readDeclarations(file.program);
    const markers = parseMarkers(file, markerTargets(declarations), this.#report);
    const folder = posix.dirname(path);
    const module = { file, declarations, markers, folderMarkers: () => this.folderMarkers(folder) };
    this.#modules.set(path, module);
    return module;
  }

  /** The package-level markers of all files in a folder, in file order. */
  folderMarkers(folder: string): readonly ParsedMarker[] {
    return (this.markedFolders().get(folder) ?? []).flatMap(({ markers }) => markers.package);
  }

  /** The files that may hold markers, by folder. */
  markedFolders(): ReadonlyMap<string, readonly Module[]> {
    if (this.#folders) return this.#folders;
    const folders = new Map<string, Module[]>();
    for (const [path, text] of this.#texts) {
      const module = mayHoldMarker.test(text) ? this.module(path) : undefined;
      if (!module) continue;
      const folder = posix.dirname(path);
      folders.set(folder, [...(folders.get(folder) ?? []), module]);
    }
    this.#folders = folders;
    return folders;
  }
}

const mayHoldMarker = /^[ \t]*(\/\/|\/?\*+)[ \t]*\+[A-Za-z]/m;

/** The paths of all TypeScript files of a project, relative to it. */
export async function listTypeScript(root: string, disk: Pick<Disk, "list">): Promise<string[]> {
  const paths = await disk.list(root, { skip: holdsNoSources });
  return paths.filter((path) => path.endsWith(".ts"));
}

function holdsNoSources(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || name === "dist";
}

/** Reads the sources among these files: neither tests, nor declarations, nor what is generated. */
export async function readSources(
  root: string,
  paths: readonly string[],
  disk: Pick<Disk, "read">,
): Promise<Map<string, string>> {
  const sources = paths.filter((path) => !/\.(test|d)\.ts$|(^|\/)zz_generated[^/]*$/.test(path));
  const texts = await Promise.all(sources.map((path) => disk.read(posix.join(root, path))));
  return new Map(sources.flatMap((path, index) => (texts[index] === undefined ? [] : [[path, texts[index]] as const])));
}
