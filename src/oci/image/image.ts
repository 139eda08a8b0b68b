import { contentOf, type Content } from "../registry/content.ts";
import { gzipSync } from "fflate";
import { writeTar, type TarEntry } from "../../files/tar.ts";
import { digestOf, mediaTypes } from "../manifest.ts";

/** An image, ready to be pushed or written to disk. */
export interface Image {
  /** The index of all platforms, or the manifest of an image without platforms. */
  readonly root: Content;
  /** The manifests that the index lists. */
  readonly manifests: readonly Content[];
  /** Configurations and layers. */
  readonly blobs: readonly Content[];
}

/** A layer, and the digest of its archive, which a configuration names. */
export interface Layer {
  readonly content: Content;
  readonly diffId: string;
}

/** Makes a layer of files, with the folders that they are in: its bytes depend on paths, contents and time alone. */
export function makeLayer(files: readonly TarEntry[], time: Date, mediaType: string = mediaTypes.layer): Layer {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
      folders.add(path.slice(0, slash + 1));
  }
  const entries = [...[...folders].map((path) => ({ path, body: Buffer.alloc(0) })), ...files];
  const archive = writeTar(
    entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    time,
  );
  // The bytes of zlib depend on its version and on the processor.
  const packed = Buffer.from(gzipSync(archive, { level: 9, mtime: 0 }));
  return { content: contentOf(mediaType, packed), diffId: digestOf(archive) };
}
