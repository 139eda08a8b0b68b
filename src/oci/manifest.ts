import { createHash } from "node:crypto";

/** Names content: https://github.com/opencontainers/image-spec/blob/main/descriptor.md */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: Platform;
  readonly artifactType?: string;
  readonly annotations?: Annotations;
}

export interface Manifest {
  readonly mediaType?: string;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
  /** Set for an index of several platforms. */
  readonly manifests?: readonly Descriptor[];
}

export interface Platform {
  readonly os?: string;
  readonly architecture?: string;
  readonly variant?: string;
}

export type Annotations = Readonly<Record<string, string>>;

/** What a container runtime reads of an image. */
export interface ContainerConfig {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly Labels?: Annotations;
}

export interface ImageConfig extends Platform {
  readonly created?: string;
  readonly config?: ContainerConfig;
  readonly rootfs?: { readonly type?: string; readonly diff_ids?: readonly string[] };
  readonly history?: readonly object[];
}

/** The media types of what tsop writes. */
export const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  empty: "application/vnd.oci.empty.v1+json",
} as const;

/** Returns the digest of bytes. */
export function digestOf(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

/** Reports whether a text is a digest; it becomes a part of URLs and file names. */
export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Reports whether a platform is one; an index lists attestations as `unknown/unknown`. */
export function isPlatform({ os, architecture }: Platform): boolean {
  return [os, architecture].every((name) => name && name !== "unknown");
}

/** Renders a platform as Docker does: `linux/arm64`. */
export function formatPlatform({ os, architecture, variant }: Platform): string {
  return [os, architecture, variant].filter(Boolean).join("/");
}
