import { TsopError } from "../../errors/tsop-error.ts";
import { isPlatform, type Descriptor, type ImageConfig, type Platform } from "../manifest.ts";
import { parseImageReference } from "../registry/image-reference.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import type { BlobCache } from "./blob-cache.ts";
import type { Content } from "../registry/content.ts";

/** An image that others are built on. */
export interface Base {
  readonly name: string;
  readonly digest: string;
  readonly platforms: readonly BasePlatform[];
}

export interface BasePlatform {
  readonly platform: Platform;
  readonly config: ImageConfig;
  readonly layers: readonly Content[];
}

/**
 * Reads manifests and configurations of an image for all its platforms; its layers stay in the registry. `pinned` is the
 * digest that its tag had.
 */
export async function readBase(
  name: string,
  { registry, cache, pinned }: { registry: RegistryClient; cache: BlobCache; pinned?: string | undefined },
): Promise<Base> {
  const origin = parseImageReference(name);
  const digest = pinned ?? (await registry.resolveDigest(origin));
  const read = async (descriptor: Descriptor): Promise<Buffer> => {
    const cached = cache.read(descriptor.digest);
    if (cached) return cached;
    const body = await registry.blob(origin, descriptor);
    cache.write(descriptor.digest, body);
    return body;
  };
  const manifestOf = async (digest: string) => {
    const cached = cache.read(digest);
    const fetched = await registry.readManifest({ ...origin, digest }, cached);
    if (!cached) cache.write(digest, fetched.body);
    return fetched.manifest;
  };
  const platformOf = async ({ digest, platform }: { digest: string; platform?: Platform }): Promise<BasePlatform> => {
    const { config: descriptor, layers = [] } = await manifestOf(digest);
    if (!descriptor) throw new TsopError("TSOP_IMAGE_BASE", { image: name, reason: "a manifest has no configuration" });
    const config = registry.parseConfig(origin, await read(descriptor));
    if (config.rootfs?.diff_ids?.length !== layers.length)
      throw new TsopError("TSOP_IMAGE_BASE", { image: name, reason: "a configuration does not fit its layers" });
    return {
      platform: platform ?? config,
      config,
      layers: layers.map((descriptor) => ({ descriptor, origin, read: () => read(descriptor) })),
    };
  };
  const root = await manifestOf(digest);
  const listed = root.manifests?.filter(({ platform = {} }) => isPlatform(platform));
  if (listed?.length === 0)
    throw new TsopError("TSOP_IMAGE_BASE", { image: name, reason: "its index has no platforms" });
  return { name, digest, platforms: await Promise.all((listed ?? [{ digest }]).map(platformOf)) };
}
