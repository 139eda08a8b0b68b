import { parseImageReference, type ImageReference } from "../registry/image-reference.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import { mediaTypes, type Annotations, type Descriptor } from "../manifest.ts";
import { contentOf, jsonContent, type Content } from "../registry/content.ts";
import type { Image } from "./image.ts";

/** Registries are often far away: most of the time is spent on waiting for answers. */
const atOnce = 8;

/** Pushes an image, of which only the parts that the registry lacks are sent; returns its digest. */
export async function pushImage(name: string, image: Image, registry: RegistryClient): Promise<string> {
  const reference = parseImageReference(name);
  await pushBlobs(reference, image.blobs, registry);
  for (const manifest of image.manifests)
    await registry.putManifest({ ...reference, digest: manifest.descriptor.digest }, manifest);
  await registry.putManifest(reference, image.root);
  return image.root.descriptor.digest;
}

async function pushBlobs(
  reference: ImageReference,
  blobs: readonly Content[],
  registry: RegistryClient,
): Promise<void> {
  const waiting = [...blobs];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await registry.putBlob(reference, next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** A document about an image. */
export interface Attachment {
  readonly type: string;
  readonly text: string;
  readonly annotations?: Annotations;
}

/** Attaches a document to an image, as a referrer that `oras discover` and `cosign` find. */
export async function attach(
  name: string,
  subject: Descriptor,
  { type, text, annotations }: Attachment,
  registry: RegistryClient,
): Promise<void> {
  const { mediaType, digest, size } = subject;
  const reference = parseImageReference(name);
  const [config, layer] = [contentOf(mediaTypes.empty, Buffer.from("{}")), contentOf(type, Buffer.from(text))];
  await pushBlobs(reference, [config, layer], registry);
  const manifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    artifactType: type,
    config: config.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType, digest, size },
    ...(annotations && { annotations }),
  };
  const content = jsonContent(mediaTypes.manifest, manifest, {
    artifactType: type,
    ...(annotations && { annotations }),
  });
  await registry.putReferrer(reference, digest, content);
}
