import { digestOf, type Descriptor } from "../manifest.ts";
import type { ImageReference } from "./image-reference.ts";

/** Bytes by their descriptor. They are read only if the target of a copy lacks them. */
export interface Content {
  readonly descriptor: Descriptor;
  /** The image that they belong to, if they come from a registry. */
  readonly origin?: ImageReference;
  readonly read: () => Promise<Uint8Array>;
}

/** Makes content of bytes. */
export function contentOf(mediaType: string, bytes: Uint8Array, more: Partial<Descriptor> = {}): Content {
  const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length, ...more };
  return { descriptor, read: async () => bytes };
}

/** Makes content of a JSON document, such as a manifest. */
export function jsonContent(mediaType: string, value: unknown, more: Partial<Descriptor> = {}): Content {
  return contentOf(mediaType, Buffer.from(JSON.stringify(value)), more);
}
