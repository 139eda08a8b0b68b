import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";

/**
 * Resolves images to digests: `host/name:tag` to `host/name@sha256:…`. Images in `known` (with a digest, or an image
 * with one) are not requested, so that a bundle can be made without a registry.
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
