import { parseImageReference } from "../registry/image-reference.ts";
import type { RegistryClient } from "../registry/registry-client.ts";

/**
 * The images by their digests: `host/name:tag` to `host/name@sha256:…`. What `known` maps (to a digest, or to an image
 * with one) is not asked for, so that a bundle can be made where no registry is.
 */
export async function resolveDigests(
  images: readonly string[],
  known: Readonly<Record<string, string>>,
  registry: () => Promise<RegistryClient>,
): Promise<Map<string, string>> {
  const resolve = async (image: string): Promise<[string, string]> => {
    const reference = parseImageReference(image);
    if (reference.digest) return [image, image];
    const name = image.replace(/:[^:/]*$/, "");
    const digest = known[image]?.replace(/^.*@/, "") ?? (await (await registry()).resolveDigest(reference));
    return [image, `${name}@${digest}`];
  };
  return new Map(await Promise.all(images.map(resolve)));
}
