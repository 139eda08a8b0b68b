import { gunzipSync } from "node:zlib";
import { TsopError } from "../../errors/tsop-error.ts";
import { readTar } from "../../files/tar.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { posix } from "node:path";

/** A small image can have layers that unpack to an enormous size, together or alone. */
const mostBytes = 64 << 20;
/** A bundle has some hundred files; each entry of an archive costs time, and needs 512 bytes. */
const mostEntries = 10_000;

/** Reads the files of a bundle's image, layer over layer. */
export async function pullBundle(name: string, registry: RegistryClient): Promise<BundleContent> {
  const image = parseImageReference(name);
  const { layers = [] } = await registry.manifest(image);
  const refuse = (reason: string, cause?: unknown): never => {
    throw new TsopError("TSOP_IMAGE_LAYER", { image: name, reason }, { cause });
  };
  const packed = layers.reduce((sum, { size }) => sum + Math.max(size, 0), 0);
  if (packed > mostBytes) refuse(tooLarge);
  const unpacked = new UnpackedLayers();
  for (const layer of layers) {
    const blob = await registry.blob(image, layer);
    try {
      unpacked.add(blob);
    } catch (cause) {
      refuse((cause as Error).message, cause);
    }
  }
  const files = unpacked.files.list();
  if (files.length === 0) throw new TsopError("TSOP_BUNDLE_NOT_FOUND", { bundle: name });
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const tooLarge = `the layers are larger than ${mostBytes} bytes`;

/** The files of the layers so far, and what further ones may add. */
class UnpackedLayers {
  readonly files = new ImageFiles();
  private bytes = mostBytes;
  private entries = mostEntries;

  /** Adds the files of a layer. What it deletes belongs to the layers below. */
  add(layer: Buffer): void {
    const isPacked = layer[0] === 0x1f && layer[1] === 0x8b;
    const archive = isPacked ? gunzipSync(layer, { maxOutputLength: Math.max(this.bytes, 1) }) : layer;
    this.bytes -= archive.length;
    if (this.bytes < 0) throw new Error(tooLarge);
    const members = readTar(archive, this.entries);
    // A layer counts as an entry: it costs a request.
    this.entries -= members.length + 1;
    for (const { path } of members) this.files.applyWhiteout(path);
    for (const { path, body } of members) this.files.add(path, Buffer.from(body).toString("utf8"));
  }
}

type Folder = Map<string, Folder | string>;

/** Prefix of the files by which a layer deletes others: https://github.com/opencontainers/image-spec */
const whiteout = ".wh.";
const opaque = `${whiteout}${whiteout}.opq`;

/** The files of an image as a tree, so that a layer is added in a time that grows with its paths alone. */
export class ImageFiles {
  private readonly root: Folder = new Map();

  /** Adds a file, in place of a file or folder of that path. A whiteout is not added. */
  add(path: string, text: string): void {
    const name = posix.basename(path);
    if (name.startsWith(whiteout)) return;
    let folder = this.root;
    for (const part of foldersOf(path)) {
      const known = folder.get(part);
      const next: Folder = known instanceof Map ? known : new Map();
      if (next !== known) folder.set(part, next);
      folder = next;
    }
    folder.set(name, text);
  }

  /** Removes what a path deletes if it is a whiteout: a file, a folder, or all that is in its own folder. */
  applyWhiteout(path: string): void {
    const name = posix.basename(path);
    if (!name.startsWith(whiteout)) return;
    let folder = this.root;
    for (const part of foldersOf(path)) {
      const next = folder.get(part);
      if (!(next instanceof Map)) return;
      folder = next;
    }
    if (name === opaque) folder.clear();
    else folder.delete(name.slice(whiteout.length));
  }

  /** Returns path and text of each file. */
  list(): [path: string, text: string][] {
    return listFolder(this.root, "");
  }
}

function foldersOf(path: string): string[] {
  return path.split("/").slice(0, -1);
}

function listFolder(folder: Folder, prefix: string): [string, string][] {
  return [...folder].flatMap(([name, entry]): [string, string][] =>
    typeof entry === "string" ? [[prefix + name, entry]] : listFolder(entry, `${prefix}${name}/`),
  );
}
