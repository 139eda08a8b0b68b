import {
  mediaTypes,
  type Annotations,
  type ContainerConfig,
  type Descriptor,
  type ImageConfig,
  type Platform,
} from "../manifest.ts";
import { jsonContent, type Content } from "../registry/content.ts";
import type { Image, Layer } from "./image.ts";
import type { Base, BasePlatform } from "./read-base.ts";

/** What an image has in addition to its base. */
export interface Addition {
  readonly layer: Layer;
  readonly config: ContainerConfig;
  readonly created: Date;
  readonly createdBy: string;
}

/** Adds a layer and a configuration to each platform of a base. */
export function extendBase(base: Base, addition: Addition): Image {
  const annotations = {
    "org.opencontainers.image.base.digest": base.digest,
    "org.opencontainers.image.base.name": base.name,
  };
  const built = base.platforms.map((platform) => extendPlatform(platform, addition, annotations));
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: built.map(({ manifest }) => manifest.descriptor),
    annotations,
  };
  const blobs = new Map(built.flatMap(({ blobs }) => blobs).map((blob) => [blob.descriptor.digest, blob]));
  return {
    root: jsonContent(mediaTypes.index, index),
    manifests: built.map(({ manifest }) => manifest),
    blobs: [...blobs.values()],
  };
}

function extendPlatform(
  { platform, config: base, layers }: BasePlatform,
  { layer, config, created, createdBy }: Addition,
  annotations: Annotations,
): { manifest: Content; blobs: readonly Content[] } {
  const time = created.toISOString();
  const extended: ImageConfig = {
    ...platformFields(base),
    created: time,
    config: mergeConfig(base.config ?? {}, config),
    rootfs: { type: "layers", diff_ids: [...(base.rootfs?.diff_ids ?? []), layer.diffId] },
    history: [...(base.history ?? []), { created: time, created_by: createdBy }],
  };
  const all = [...layers.map(asOci), layer.content];
  const configuration = jsonContent(mediaTypes.config, extended);
  const manifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: configuration.descriptor,
    layers: all.map(({ descriptor }) => descriptor),
    annotations,
  };
  const content = jsonContent(mediaTypes.manifest, manifest, { platform: platformFields(platform) });
  return { manifest: content, blobs: [configuration, ...all] };
}

/** Of a base's configuration, Docker's own fields stay behind: they describe a container that built it. */
function platformFields(platform: Platform): Platform {
  const { architecture, os, variant } = platform;
  const more = Object.entries(platform).filter(([key]) => key.startsWith("os."));
  return { architecture, os, ...Object.fromEntries(more), ...(variant && { variant }) } as Platform;
}

/** An instruction of the image replaces the base's; an entry point resets the arguments, as in a Dockerfile. */
function mergeConfig(base: ContainerConfig, own: ContainerConfig): ContainerConfig {
  const { Cmd, ...rest } = base;
  const names = new Set(own.Env?.map((each) => each.split("=")[0]));
  const env = [...(base.Env ?? []).filter((each) => !names.has(each.split("=")[0])), ...(own.Env ?? [])];
  const labels = { ...base.Labels, ...own.Labels };
  return {
    ...rest,
    ...(Cmd && !own.Entrypoint ? { Cmd } : {}),
    ...own,
    ...(env.length > 0 && { Env: env }),
    ...(Object.keys(labels).length > 0 && { Labels: labels }),
  };
}

/** A layer of Docker's type has the bytes of an OCI layer; an OCI manifest lists the latter. */
function asOci(layer: Content): Content {
  const { mediaType } = layer.descriptor;
  const descriptor: Descriptor = {
    ...layer.descriptor,
    mediaType: /^application\/vnd\.docker\.image\.rootfs\.diff\.tar\.gzip$/.test(mediaType)
      ? mediaTypes.layer
      : mediaType,
  };
  return { ...layer, descriptor };
}
