import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { csvKind } from "../csv/csv.ts";
import { readBase } from "../csv/default-csv.ts";
import { parseObjects } from "../parse-objects.ts";
import { readShape } from "../../apimachinery/read-shape.ts";
import { isScorecardConfig, inputShapes } from "./collect.ts";

/** The locations of the operator's manifests; folders are absolute. */
export interface BundleInput {
  /** `-` means stdin. */
  readonly inputDir?: string | undefined;
  readonly deployDir?: string | undefined;
  readonly crdsDir?: string | undefined;
  /** The base to use if the input holds no CSV. */
  readonly base: string;
  readonly stdin: () => Promise<string>;
}

type Reader = Pick<Disk, "read" | "list">;

/** Reads the operator's manifests, and the base of the CSV if they hold none. */
export async function loadBundleInput(input: BundleInput, disk: Reader): Promise<UnstructuredObject[]> {
  const objects = await loadManifests(input, disk);
  if (objects.some(({ kind }) => kind === csvKind)) return objects;
  const base = await readBase(input.base, disk);
  return base === undefined ? objects : [...objects, base];
}

async function loadManifests(
  { inputDir, deployDir, crdsDir, stdin }: BundleInput,
  disk: Reader,
): Promise<UnstructuredObject[]> {
  if (crdsDir && !deployDir) throw new UsageError("--crds-dir needs --deploy-dir");
  if (inputDir && deployDir) throw new UsageError("--input-dir and --deploy-dir exclude each other");
  const folders = [inputDir, deployDir, crdsDir].filter((folder) => folder !== undefined && folder !== "-");
  if (folders.length === 0) {
    const text = await stdin();
    if (text.trim() === "") throw new TsopError("TSOP_BUNDLE_NO_INPUT", {});
    return checkScorecard([{ file: "stdin", objects: parseObjects(text, "stdin") }]);
  }
  return checkScorecard((await Promise.all(folders.map((folder) => loadFolder(folder!, disk)))).flat());
}

interface InputFile {
  readonly file: string;
  readonly objects: readonly UnstructuredObject[];
}

/** Returns the objects of all files. Two scorecard configurations, or a broken one, are an error that names the file. */
function checkScorecard(files: readonly InputFile[]): UnstructuredObject[] {
  const configs = files.flatMap(({ file, objects }) =>
    objects.filter(isScorecardConfig).map((object) => ({ file, object })),
  );
  for (const { file, object } of configs) readShape(object, inputShapes["Configuration"]!, file, true);
  if (configs.length > 1) {
    const names = configs.map(({ file }) => file);
    throw new TsopError("TSOP_SCORECARD_TWICE", { count: names.length, files: [...new Set(names)].join(", ") });
  }
  return files.flatMap(({ objects }) => objects);
}

async function loadFolder(folder: string, disk: Reader): Promise<InputFile[]> {
  const files = (await disk.list(folder)).filter((path) => /\.(ya?ml|json)$/.test(path));
  if (files.length === 0) throw new TsopError("TSOP_BUNDLE_FOLDER_EMPTY", { folder });
  const read = async (file: string): Promise<InputFile> => ({
    file,
    objects: parseObjects((await disk.read(file)) ?? "", file),
  });
  return Promise.all(files.map((path) => read(join(folder, path))));
}
