import type { RunnableBundle } from "../../../src/olm/cluster/run-catalog.ts";
import { makeBundleImage } from "../../../src/olm/registry/bundle-image.ts";
import { pushImage } from "../../../src/oci/image/push-image.ts";
import type { RegistryClient } from "../../../src/oci/registry/registry-client.ts";

/** Pushes a bundle as the image that it names. */
export async function pushBundle({ bundle, image }: RunnableBundle, registry: RegistryClient): Promise<void> {
  const copies = ["manifests/", "metadata/"].map((path) => ({ from: path, to: path, instruction: `COPY ${path}` }));
  await pushImage(
    image,
    makeBundleImage(bundle.content, { labels: bundle.annotations, copies }, new Date(0)),
    registry,
  );
}
