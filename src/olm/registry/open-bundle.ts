import type { RegistrySettings } from "../../oci/registry/connect-registry.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { readBundleFolder, type BundleDisk } from "../bundle/load-bundle.ts";

/**
 * Reads a bundle's files from the folder of that name if it exists, else from the image in its registry. A single word
 * is a folder that somebody forgot to make: no bundle is among the official images of Docker Hub.
 */
export async function openBundle(
  { name, folder }: { readonly name: string; readonly folder: string },
  settings: Omit<RegistrySettings, "disk"> & { readonly disk: BundleDisk },
): Promise<BundleContent> {
  const looksLikePath = /^\.{0,2}\/|^\.{1,2}$|^[^/:@]+\/?$/.test(name);
  const isFolder = (await settings.disk.list(folder)).length > 0;
  if (isFolder || looksLikePath) return readBundleFolder(folder, settings.disk);
  // A folder needs neither TLS nor gzip, which take longer to load than a bundle.
  const [{ pullBundle }, { connectRegistry }] = await Promise.all([
    import("./pull-bundle.ts"),
    import("../../oci/registry/connect-registry.ts"),
  ]);
  return pullBundle(name, await connectRegistry(settings));
}
