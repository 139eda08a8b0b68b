import type { Content } from "../registry/content.ts";

/** An image, ready to be pushed or written to disk. */
export interface Image {
  /** The index of all platforms, or the manifest of an image without platforms. */
  readonly root: Content;
  /** The manifests that the index lists. */
  readonly manifests: readonly Content[];
  /** Configurations and layers. */
  readonly blobs: readonly Content[];
}
