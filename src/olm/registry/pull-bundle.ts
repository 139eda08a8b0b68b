import { gunzipSync } from "node:zlib";
import { posix } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { parseImageReference } from "./image-reference.ts";
import type { RegistryClient } from "./registry-client.ts";
import { readTar } from "../../files/tar.ts";

/** Reads the files of a bundle's image, layer over layer. */
export async function pullBundle(name: string, registry: RegistryClient): Promise<BundleContent> {
  const image = parseImageReference(name);
  const { layers = [] } = await registry.manifest(image);
  const files = new Map<string, string>();
  let left = mostBytes;
  for (const layer of layers) left -= unpack(await registry.blob(image, layer), { files, image: name, left });
  if (files.size === 0) throw new TsopError("TSOP_BUNDLE_NOT_FOUND", { bundle: name });
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A small image can have layers that unpack to an enormous size, together or alone. */
const mostBytes = 64 << 20;

interface Unpacked {
  readonly files: Map<string, string>;
  readonly image: string;
  /** The size that further layers may have. */
  readonly left: number;
}

/** Adds the files of a layer, and returns the size of its archive. */
function unpack(layer: Buffer, { files, image, left }: Unpacked): number {
  try {
    const isPacked = layer[0] === 0x1f && layer[1] === 0x8b;
    const archive = isPacked ? gunzipSync(layer, { maxOutputLength: Math.max(left, 1) }) : layer;
    if (archive.length > left) throw new Error(`the layers are larger than ${mostBytes} bytes`);
    for (const { path, body } of readTar(archive)) {
      if (!applyWhiteout(path, files)) files.set(path, Buffer.from(body).toString("utf8"));
    }
    return archive.length;
  } catch (cause) {
    throw new TsopError("TSOP_IMAGE_LAYER", { image, reason: (cause as Error).message }, { cause });
  }
}

/** Removes the files that a layer deletes by name: https://github.com/opencontainers/image-spec */
function applyWhiteout(path: string, files: Map<string, string>): boolean {
  const name = posix.basename(path);
  if (!name.startsWith(".wh.")) return false;
  const folder = posix.dirname(path) === "." ? "" : `${posix.dirname(path)}/`;
  const gone = name === ".wh..wh..opq" ? folder : folder + name.slice(4);
  for (const file of files.keys()) {
    if (file === gone || file.startsWith(gone.endsWith("/") || gone === "" ? gone : `${gone}/`)) files.delete(file);
  }
  return true;
}
