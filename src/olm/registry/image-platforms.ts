import { TsopError } from "../../errors/tsop-error.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";

/** Returns the platforms of images, such as `linux/amd64`; for an image that cannot be read, the reason. */
export async function imagePlatforms(
  images: readonly string[],
  registry: RegistryClient,
): Promise<Map<string, readonly string[] | string>> {
  const ask = async (image: string): Promise<readonly string[] | string> => {
    try {
      return await registry.platforms(parseImageReference(image));
    } catch (error) {
      if (error instanceof TsopError) return error.message;
      throw error;
    }
  };
  return new Map(await Promise.all(images.map(async (image) => [image, await ask(image)] as const)));
}
