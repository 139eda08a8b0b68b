import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { readManifests } from "./read-manifests.ts";

interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
}

/**
 * Reads CRDs, and patches of them, from a file or a folder. Of a folder with a kustomization, such as config/crd, it
 * reads the files that are named there.
 */
export async function readCrds(path: string): Promise<UnstructuredObject[]> {
  const file = join(path, "kustomization.yaml");
  if (!existsSync(file)) return (await readManifests(path)).map(({ object }) => object);
  const { resources, patches } = await readKustomization(file);
  // A list that has been emptied, but for its comments, is null.
  const patchFiles = (patches ?? []).flatMap((patch) => patch.path ?? []);
  const objects = await Promise.all([...(resources ?? []), ...patchFiles].map((name) => readCrds(join(path, name))));
  return objects.flat();
}

async function readKustomization(file: string): Promise<Kustomization> {
  const { parseYamlDocuments, YamlError } = await import("../apimachinery/yaml/parse.ts");
  try {
    return parseYamlDocuments(await readFile(file, "utf8"))[0] ?? {};
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw new TsopError("TSOP_MANIFEST_INVALID", { file: `${file}:${cause.line}`, reason: cause.reason }, { cause });
  }
}
