import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { csvKind } from "../csv/csv.ts";
import { parseObjects } from "../parse-objects.ts";

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
  const base = await disk.read(input.base);
  return base === undefined ? objects : [...objects, ...parseObjects(base, input.base)];
}

async function loadManifests(
  { inputDir, deployDir, crdsDir, stdin }: BundleInput,
  disk: Reader,
): Promise<UnstructuredObject[]> {
  if (crdsDir && !deployDir) throw new UsageError("--crds-dir goes with --deploy-dir only");
  if (inputDir && deployDir) throw new UsageError("give --input-dir or --deploy-dir, not both");
  const folders = [inputDir, deployDir, crdsDir].filter((folder) => folder !== undefined && folder !== "-");
  if (folders.length === 0) {
    const text = await stdin();
    if (text.trim() === "") throw new TsopError("TSOP_BUNDLE_NO_INPUT", {});
    return parseObjects(text, "stdin");
  }
  return (await Promise.all(folders.map((folder) => loadFolder(folder!, disk)))).flat();
}

async function loadFolder(folder: string, disk: Reader): Promise<UnstructuredObject[]> {
  const files = (await disk.list(folder)).filter((path) => /\.(ya?ml|json)$/.test(path));
  if (files.length === 0) throw new TsopError("TSOP_BUNDLE_FOLDER_EMPTY", { folder });
  const read = async (path: string) => parseObjects((await disk.read(join(folder, path))) ?? "", join(folder, path));
  return (await Promise.all(files.map(read))).flat();
}
