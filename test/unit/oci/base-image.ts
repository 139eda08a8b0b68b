import { randomBytes } from "node:crypto";
import { extendBase } from "../../../src/oci/image/extend-base.ts";
import { makeLayer, type Image } from "../../../src/oci/image/image.ts";
import { pushImage } from "../../../src/oci/image/push-image.ts";
import { mediaTypes, type Platform } from "../../../src/oci/manifest.ts";
import { jsonContent } from "../../../src/oci/registry/content.ts";
import type { RegistryClient } from "../../../src/oci/registry/registry-client.ts";

export const basePlatforms: readonly Platform[] = [
  { architecture: "amd64", os: "linux" },
  { architecture: "arm64", os: "linux", variant: "v8" },
];

/** Pushes an index of two platforms, and of an attestation, as buildx makes it; returns the index's digest. */
export async function pushBase(name: string, registry: RegistryClient): Promise<string> {
  const empty = { name: "scratch", digest: "", platforms: [] };
  const images = basePlatforms.map((platform): Image => {
    const file = {
      path: "etc/platform",
      body: Buffer.from(`${platform.architecture}\n${randomBytes(64).toString("hex")}`),
    };
    return extendBase(
      { ...empty, platforms: [{ platform, config: platform, layers: [] }] },
      {
        layer: makeLayer([file], new Date(0)),
        config: {
          Env: ["PATH=/nodejs/bin", "SSL_CERT_FILE=/etc/ssl/certs"],
          User: "0",
          Cmd: ["repl"],
          Labels: { of: "base" },
        },
        created: new Date(0),
        createdBy: "base",
      },
    );
  });
  const attestation = jsonContent(
    mediaTypes.manifest,
    {
      ...JSON.parse(Buffer.from(await images[0]!.manifests[0]!.read()).toString()),
      annotations: { is: "attestation" },
    },
    { platform: { architecture: "unknown", os: "unknown" } },
  );
  const manifests = [...images.flatMap((image) => image.manifests), attestation];
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: manifests.map((each) => each.descriptor) };
  const root = jsonContent(mediaTypes.index, index);
  return pushImage(name, { root, manifests, blobs: images.flatMap((image) => image.blobs) }, registry);
}
