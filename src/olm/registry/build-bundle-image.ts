import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { loadBundle, readBundleFolder, type BundleDisk } from "../bundle/load-bundle.ts";
import { makeBundleImage, parseDockerfile } from "./bundle-image.ts";
import type { Image } from "../../oci/image/image.ts";

/** Makes the image of a bundle from its Dockerfile. `folder` is the bundle, relative to the root. */
export async function buildBundleImage(
  { root, folder, dockerfile }: { readonly root: string; readonly folder: string; readonly dockerfile: string },
  disk: BundleDisk,
): Promise<Image> {
  const text = await disk.read(join(root, dockerfile));
  if (text === undefined) throw new TsopError("TSOP_BUNDLE_DOCKERFILE", { file: dockerfile });
  const bundle = loadBundle(await readBundleFolder(join(root, folder), disk));
  // The time of the bundle, not of its packing, so that the same bundle makes the same image.
  const created = new Date(bundle.csv.metadata.annotations?.["createdAt"] ?? 0);
  return makeBundleImage(bundle.content, parseDockerfile(text, folder), created);
}
