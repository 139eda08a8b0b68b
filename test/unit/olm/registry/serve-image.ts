import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BundleContent } from "../../../../src/olm/bundle/bundle.ts";
import { digestOf, type Manifest } from "../../../../src/oci/manifest.ts";
import { makeBundleImage } from "../../../../src/olm/registry/bundle-image.ts";

/** A registry without TLS, with one image, to be pulled by any name. */
export interface ImageServer {
  /** A name of this machine for which TLS is not left out by itself. */
  readonly host: string;
  readonly close: () => void;
}

/** Serves the image of a bundle. */
export async function serveImage(content: BundleContent): Promise<ImageServer> {
  const prefix = "operators.operatorframework.io.bundle";
  const labels = { [`${prefix}.manifests.v1`]: "manifests/", [`${prefix}.metadata.v1`]: "metadata/" };
  const copies = ["manifests/", "metadata/"].map((path) => ({
    from: path,
    to: path,
    instruction: `COPY ${path} /${path}`,
  }));
  const { root, blobs } = makeBundleImage(content, { labels, copies }, new Date(0));
  const read = async (content: (typeof blobs)[number]): Promise<Buffer> => Buffer.from(await content.read());
  const manifest = JSON.parse((await read(root)).toString()) as ServedImage["manifest"];
  return serveBlobs({ manifest, blobs: await Promise.all(blobs.map(read)) });
}

/** Serves an image with these layers. */
export function serveLayers(blobs: readonly Buffer[]): Promise<ImageServer> {
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const layers = blobs.map((blob) => ({ mediaType: "layer", digest: digestOf(blob), size: blob.length }));
  return serveBlobs({ manifest: { mediaType, layers }, blobs });
}

interface ServedImage {
  readonly manifest: Manifest & { readonly mediaType: string };
  readonly blobs: readonly Buffer[];
}

/** Serves a manifest, and those blobs of it that there are. */
export async function serveBlobs({ manifest, blobs }: ServedImage): Promise<ImageServer> {
  const byDigest = new Map(blobs.map((blob) => [digestOf(blob), blob]));
  const server = createServer(({ url = "" }, response) => {
    const [, what, name = ""] = /\/(manifests|blobs)\/([^/]+)$/.exec(url) ?? [];
    const body = what === "manifests" ? Buffer.from(JSON.stringify(manifest)) : byDigest.get(name);
    response.writeHead(body ? 200 : 404, what === "manifests" ? { "content-type": manifest.mediaType } : {});
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `0.0.0.0:${port}`, close: () => server.close() };
}
