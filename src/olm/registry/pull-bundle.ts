import { gunzipSync } from "node:zlib";
import { TsopError } from "../../errors/tsop-error.ts";
import { readTar } from "../../files/tar.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { ImageFiles } from "./image-files.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";

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
