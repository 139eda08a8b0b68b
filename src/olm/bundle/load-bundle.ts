import { posix } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { isBelow } from "../../files/slashes.ts";
import { csvKind, type ClusterServiceVersion } from "../csv/csv.ts";
import { crdShape, type Crd } from "./crd.ts";
import { csvShape, metadataShape } from "../csv/csv-shape.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";
import { parseTolerantSemver } from "../semver.ts";
import { annotationKeys, type Bundle, type BundleContent } from "./bundle.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { isKubeObject } from "../parse-objects.ts";

export type BundleDisk = Pick<Disk, "list" | "read" | "realPath">;

/** Reads all files below a folder. */
export async function readBundleFolder(folder: string, disk: BundleDisk): Promise<BundleContent> {
  const paths = await disk.list(folder);
  if (paths.length === 0) throw new TsopError("TSOP_BUNDLE_NOT_FOUND", { bundle: folder });
  const real = await disk.realPath(folder);
  const read = async (path: string) => [path, await readInside(posix.join(folder, path), real, disk)] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/**
 * Reads a file of a folder that may be somebody else's. Refuses a link to a folder or to nothing, whose target an image
 * would not have, and a link out of the folder: an image of it would publish a file of this machine.
 */
export async function readInside(file: string, realFolder: string, disk: BundleDisk): Promise<string> {
  const isInside = isBelow(realFolder, await disk.realPath(file));
  const text = isInside ? await disk.read(file) : undefined;
  if (text === undefined) throw new TsopError("TSOP_BUNDLE_LINK", { file });
  return text;
}

/** Loads a bundle. Fails unless the folder is a bundle; the rules report the errors in it. */
export function loadBundle(content: BundleContent): Bundle {
  const annotations = findAnnotations(content);
  const folder = posix.normalize(`${annotations[annotationKeys.manifests] ?? "manifests"}/`);
  const manifests = [...content.keys()].filter((path) => path.startsWith(folder));
  if (manifests.length === 0) throw new TsopError("TSOP_BUNDLE_NO_MANIFESTS", { folder });
  const strange = manifests.filter((path) => /\/|^\./.test(path.slice(folder.length)));
  if (strange.length > 0) throw new TsopError("TSOP_BUNDLE_STRANGE_FILES", { files: strange.join(", ") });
  const objects = manifests.map((path) => readObject(content.get(path)!, path));
  const ofKind = (kind: string, shape: Shape): unknown[] =>
    objects.flatMap((object, index) => (object.kind === kind ? readShape(object, shape, manifests[index]!) : []));
  const csvs = ofKind(csvKind, csvShape) as ClusterServiceVersion[];
  if (csvs.length === 0) throw new TsopError("TSOP_BUNDLE_NO_CSV", { folder });
  if (csvs.length > 1) {
    throw new TsopError("TSOP_BUNDLE_CSVS", { names: csvs.map(({ metadata }) => metadata.name ?? "").join(", ") });
  }
  const [csv] = csvs as [ClusterServiceVersion];
  checkCsvVersion(csv);
  const crds = ofKind("CustomResourceDefinition", crdShape) as Crd[];
  for (const { apiVersion = "", metadata } of crds) {
    if (!/^apiextensions\.k8s\.io\/v1(beta1)?$/.test(apiVersion)) {
      throw new TsopError("TSOP_BUNDLE_CRD_VERSION", { name: metadata.name ?? "", apiVersion });
    }
  }
  return { content, annotations, manifests, csv, crds, objects };
}

function checkCsvVersion({ metadata, spec: { version } }: ClusterServiceVersion): void {
  if (version === undefined || parseTolerantSemver(version)) return;
  const reason = `${JSON.stringify(version)} is not a semantic version`;
  throw new TsopError("TSOP_BUNDLE_SHAPE", { file: metadata.name ?? csvKind, path: "spec.version", reason });
}

/** Reads the first object of a file, as OLM does. A file of comments has no kind. */
function readObject(text: string, file: string): UnstructuredObject {
  const [document] = parseDocuments(text, file);
  if (document === null) return { apiVersion: "", kind: "", metadata: {} };
  if (!isKubeObject(document)) throw new TsopError("TSOP_BUNDLE_NO_OBJECT", { file });
  readShape(document, { metadata: metadataShape }, file);
  // Unchanged, with nulls: catalogs show it so.
  return { ...document, metadata: document.metadata ?? {} };
}

/** Finds the annotations in the usual file, or else in any file that has some. */
function findAnnotations(content: BundleContent): Record<string, string> {
  const usual = "metadata/annotations.yaml";
  const others = [...content.keys()].filter((path) => /\.ya?ml$/.test(path) && !path.startsWith("manifests/"));
  for (const path of [usual, ...others]) {
    const text = content.get(path);
    const [document] = text === undefined ? [] : parseDocuments(text, path);
    const annotations = (document as { annotations?: Record<string, string | number | null> } | undefined)?.annotations;
    if (annotations) {
      return Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, String(value ?? "")]));
    }
  }
  throw new TsopError("TSOP_BUNDLE_NO_METADATA", { file: usual });
}
