import { cacheFolder, openBlobCache } from "../../oci/image/blob-cache.ts";
import type { Image } from "../../oci/image/image.ts";
import { pushImage } from "../../oci/image/push-image.ts";
import { readBase } from "../../oci/image/read-base.ts";
import { connectRegistry } from "../../oci/registry/connect-registry.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { withDigest } from "../../oci/registry/image-reference.ts";
import { catalogImage } from "../../olm/catalog/catalog-image.ts";
import { opmImage } from "../../olm/catalog/opm-image.ts";
import { pushSettings, type RegistryFlags } from "../flags/registry-flags.ts";
import { sourceDate } from "../flags/source-date.ts";
import type { Io } from "../io.ts";

/** Builds the image that serves the catalogs of a folder, pushes it, and prints its digest. */
export async function pushCatalogImage(
  io: Io,
  folder: string,
  flags: RegistryFlags & { readonly push: string; readonly base?: string },
): Promise<void> {
  const registry = await connectRegistry(pushSettings(io, flags));
  const base = await readBase(flags.base ?? opmImage, { registry, cache: openBlobCache(cacheFolder(io.env)) });
  const image = await catalogImage(folder, { base, created: sourceDate(io) ?? new Date(0) }, io.disk);
  await pushAndPrint(io, flags.push, image, registry);
}

/** Pushes an image, and prints its name with its digest. */
export async function pushAndPrint(
  { stderr, stdout }: Pick<Io, "stderr" | "stdout">,
  name: string,
  image: Image,
  registry: RegistryClient,
): Promise<void> {
  const digest = await pushImage(name, image, registry);
  stderr.write(`pushed ${name}\n`);
  stdout.write(`${withDigest(name, digest)}\n`);
}
