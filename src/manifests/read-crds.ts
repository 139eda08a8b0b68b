import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { parseYaml, readManifests } from "./read-manifests.ts";

interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
}

/**
 * Reads CRDs and their patches from a file or a folder. In a folder with a kustomization, such as config/crd, reads
 * only the files that it names.
 */
export async function readCrds(path: string): Promise<UnstructuredObject[]> {
  const file = join(path, "kustomization.yaml");
  if (!existsSync(file)) return (await readManifests(path)).map(({ object }) => object);
  const [kustomization] = await parseYaml(await readFile(file, "utf8"), file);
  const { resources, patches } = (kustomization ?? {}) as Kustomization;
  // A list that holds only comments is null.
  const patchFiles = (patches ?? []).flatMap((patch) => patch.path ?? []);
  const objects = await Promise.all([...(resources ?? []), ...patchFiles].map((name) => readCrds(join(path, name))));
  return objects.flat();
}
