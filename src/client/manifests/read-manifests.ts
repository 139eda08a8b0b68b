import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { readRegularFile } from "../../files/read-regular-file.ts";

/** A Kubernetes object and its file. */
export interface Manifest {
  readonly file: string;
  readonly object: UnstructuredObject;
}

type Read = (file: string) => Buffer | Promise<Buffer>;

/** Reads a manifest file, or those directly in a folder, ordered by name. Kustomizations are skipped. */
export async function readManifests(path: string): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of await manifestFiles(path)) manifests.push(...(await readManifestFile(file, readRegularFile)));
  return manifests;
}

/** Reads manifests to apply. Fails for a folder without any. A path that the user named may be a pipe. */
export async function readManifestsToApply(path: string): Promise<Manifest[]> {
  await requireManifestFiles(path);
  return (await stat(path)).isFIFO() ? readManifestFile(path, readFile) : readManifests(path);
}

/** Fails if a path has nothing that could be applied. */
export async function requireManifestFiles(path: string): Promise<void> {
  if ((await manifestFiles(path)).length === 0) throw new TsopError("TSOP_MANIFESTS_MISSING", { path });
}

async function manifestFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new TsopError("TSOP_MANIFEST_NOT_FOUND", { path }, { cause });
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith("kustomization."))
    .sort()
    .map((name) => join(path, name));
}

async function readManifestFile(file: string, read: Read): Promise<Manifest[]> {
  const text = await readText(file, read);
  const documents = file.endsWith(".json") ? parseJson(text, file) : await parseYaml(text, file);
  return documents
    .filter((document) => document !== null && document !== undefined)
    .flatMap((document) => unpack(document, file));
}

async function readText(file: string, read: Read): Promise<string> {
  try {
    return (await read(file)).toString();
  } catch (cause) {
    if (cause instanceof TsopError) throw cause;
    throw new TsopError("TSOP_MANIFEST_NOT_FOUND", { path: file }, { cause });
  }
}

function parseJson(text: string, file: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch (cause) {
    throw invalid(file, (cause as Error).message, cause);
  }
}

/** Parses all documents of a YAML text. The parser is loaded with the first text. */
export async function parseYaml(text: string, file: string): Promise<unknown[]> {
  const { parseDocuments } = await import("./parse-documents.ts");
  return parseDocuments(text, file);
}

/** Returns the objects of a document: the items of a `List`, or the document itself. */
function unpack(document: unknown, file: string): Manifest[] {
  const object = document as Partial<UnstructuredObject> | undefined;
  if (typeof object !== "object" || !object.apiVersion || !object.kind) {
    throw invalid(file, "a document has no apiVersion and kind");
  }
  if (object.kind === "List" && Array.isArray(object["items"])) {
    return object["items"].flatMap((item) => unpack(item, file));
  }
  if (!object.metadata?.name && !object.metadata?.generateName) throw invalid(file, `a ${object.kind} has no name`);
  return [{ file, object: object as UnstructuredObject }];
}

function invalid(file: string, reason: string, cause?: unknown): TsopError {
  return new TsopError("TSOP_MANIFEST_INVALID", { file, reason }, { cause });
}
