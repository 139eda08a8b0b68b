import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { writeTar } from "../../files/tar.ts";
import { formatPlatform, mediaTypes, type ImageConfig, type Manifest } from "../manifest.ts";
import { jsonContent, type Content } from "../registry/content.ts";
import type { Image } from "./image.ts";

type File = readonly [path: string, body: Uint8Array];

/** Writes an image into a folder: https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
export async function writeLayout(
  image: Image,
  { folder, name }: { readonly folder: string; readonly name: string | undefined },
  disk: Disk,
): Promise<void> {
  const present = await disk.list(folder);
  if (present.length > 0 && !present.includes("oci-layout")) throw new TsopError("TSOP_IMAGE_FOLDER", { folder });
  await disk.makeFolder(join(folder, "blobs/sha256"));
  const files = await layoutFiles(image.root, [...image.manifests, ...image.blobs], name);
  for (const [path, body] of files) await disk.write(join(folder, path), body);
  const paths = new Set(files.map(([path]) => path));
  for (const path of present.filter((path) => path.startsWith("blobs/") && !paths.has(path)))
    await disk.remove(join(folder, path));
}

/**
 * Makes the archive of one platform that `docker load`, `podman load` and `kind load image-archive` read: a layout, and
 * the list that older versions of Docker need.
 */
export async function dockerArchive(
  image: Image,
  { architecture, name }: { readonly architecture: string; readonly name: string | undefined },
): Promise<{ archive: Buffer; platform: string }> {
  const chosen =
    image.manifests.find(({ descriptor }) => descriptor.platform?.architecture === architecture) ?? image.manifests[0]!;
  const { config, layers = [] } = JSON.parse(Buffer.from(await chosen.read()).toString()) as Manifest;
  const blobs = [config!, ...layers].map(({ digest }) =>
    image.blobs.find(({ descriptor }) => descriptor.digest === digest)!,
  );
  const [configPath, ...layerPaths] = blobs.map(pathOf);
  const list = [{ Config: configPath, RepoTags: name === undefined ? null : [name], Layers: layerPaths }];
  const files: File[] = [
    ...(await layoutFiles(chosen, blobs, name)),
    ["manifest.json", Buffer.from(JSON.stringify(list))],
  ];
  const { created = 0 } = JSON.parse(Buffer.from(await blobs[0]!.read()).toString()) as ImageConfig;
  const entries = files.map(([path, body]) => ({ path, body })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { archive: writeTar(entries, new Date(created)), platform: formatPlatform(chosen.descriptor.platform ?? {}) };
}

async function layoutFiles(root: Content, contents: readonly Content[], name: string | undefined): Promise<File[]> {
  const annotations = name === undefined ? {} : { annotations: { "org.opencontainers.image.ref.name": name } };
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...root.descriptor, ...annotations }],
  };
  const files: File[] = [["oci-layout", Buffer.from('{"imageLayoutVersion":"1.0.0"}')]];
  for (const content of [root, ...contents]) files.push([pathOf(content), await content.read()]);
  // The index comes last: it names files that are complete.
  return [...files, ["index.json", await jsonContent(mediaTypes.index, index).read()]];
}

function pathOf({ descriptor }: Content): string {
  return `blobs/${descriptor.digest.replace(":", "/")}`;
}
