import { gzipSync } from "node:zlib";
import type { BundleContent } from "../bundle/bundle.ts";
import type { Descriptor, Manifest } from "./registry-client.ts";
import { digestOf } from "./registry-client.ts";
import { writeTar } from "../../files/tar.ts";

/** An image, ready to be pushed. */
export interface Image {
  readonly manifest: Manifest & { readonly mediaType: string };
  readonly blobs: readonly Buffer[];
}

export interface ImageRecipe {
  readonly labels: Readonly<Record<string, string>>;
  /** The layers: a source in the bundle and a target in the image. */
  readonly copies: readonly { readonly from: string; readonly to: string; readonly instruction: string }[];
}

/** Parses `bundle.Dockerfile`: labels, and the folders to copy. `folder` is the bundle, relative to that file. */
export function parseDockerfile(text: string, folder: string): ImageRecipe {
  const labels = [...text.matchAll(/^LABEL\s+([^=\s]+)=(.*)$/gm)].map(([, key, value]) => [
    key!,
    unquote(value!.trim()),
  ]);
  const copies = [...text.matchAll(/^COPY\s+(\S+)\s+(\S+)\s*$/gm)].map(([, from, to]) => ({
    instruction: `COPY ${from} ${to}`,
    from: `${relativeTo(folder, from!)}/`,
    to: `${trimSlashes(to!)}/`,
  }));
  return { labels: Object.fromEntries(labels) as Record<string, string>, copies };
}

/** The PATH that Docker sets in an image without one. */
const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Makes the image that `docker build` makes of a bundle: from scratch, a layer for each copy, the labels in its
 * configuration.
 */
export function makeBundleImage(content: BundleContent, { labels, copies }: ImageRecipe, created: Date): Image {
  const archives = copies.map(({ from, to }) => writeTar(layerEntries(content, from, to), created));
  const layers = archives.map((archive) => gzipSync(archive, { level: 9 }));
  const time = created.toISOString();
  const config = Buffer.from(
    JSON.stringify({
      architecture: "amd64",
      config: { Env: [`PATH=${usualPath}`], WorkingDir: "/", Labels: labels, OnBuild: null },
      created: time,
      history: [
        ...Object.entries(labels).map(([key, value]) => ({
          created: time,
          created_by: `LABEL ${key}=${value}`,
          empty_layer: true,
        })),
        ...copies.map(({ instruction }) => ({ created: time, created_by: instruction })),
      ],
      os: "linux",
      rootfs: { type: "layers", diff_ids: archives.map(digestOf) },
    }),
  );
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.docker.distribution.manifest.v2+json",
    config: descriptor("application/vnd.docker.container.image.v1+json", config),
    layers: layers.map((layer) => descriptor("application/vnd.docker.image.rootfs.diff.tar.gzip", layer)),
  };
  return { manifest, blobs: [config, ...layers] };
}

function layerEntries(content: BundleContent, from: string, to: string): { path: string; body: Uint8Array }[] {
  const files = [...content].filter(([path]) => path.startsWith(from));
  const folders = new Set<string>();
  const entries = files.map(([path, text]) => {
    const target = to + path.slice(from.length);
    for (let slash = target.indexOf("/"); slash >= 0; slash = target.indexOf("/", slash + 1))
      folders.add(target.slice(0, slash + 1));
    return { path: target, body: Buffer.from(text) };
  });
  const all = [...[...folders].map((path) => ({ path, body: Buffer.alloc(0) })), ...entries];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function descriptor(mediaType: string, body: Buffer): Descriptor {
  return { mediaType, digest: digestOf(body), size: body.length };
}

function unquote(value: string): string {
  return /^".*"$/.test(value) ? (JSON.parse(value) as string) : value;
}

function relativeTo(folder: string, path: string): string {
  const inside = trimSlashes(path.replace(/^\.\//, ""));
  const root = trimSlashes(folder.replace(/^\.\//, ""));
  return inside.startsWith(`${root}/`) ? inside.slice(root.length + 1) : inside;
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
