import { makeLayer, type Image } from "../../oci/image/image.ts";
import { jsonContent } from "../../oci/registry/content.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { loadBundle, readBundleFolder, type BundleDisk } from "../bundle/load-bundle.ts";

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
  const layers = copies.map(({ from, to }) => makeLayer(filesBelow(content, from, to), created, dockerTypes.layer));
  const time = created.toISOString();
  const config = jsonContent(dockerTypes.config, {
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
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const root = jsonContent(dockerTypes.manifest, {
    schemaVersion: 2,
    mediaType: dockerTypes.manifest,
    config: config.descriptor,
    layers: layers.map(({ content }) => content.descriptor),
  });
  return { root, manifests: [], blobs: [config, ...layers.map(({ content }) => content)] };
}

const dockerTypes = {
  manifest: "application/vnd.docker.distribution.manifest.v2+json",
  config: "application/vnd.docker.container.image.v1+json",
  layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
} as const;

function filesBelow(content: BundleContent, from: string, to: string): { path: string; body: Uint8Array }[] {
  const files = [...content].filter(([path]) => path.startsWith(from));
  return files.map(([path, text]) => ({ path: to + path.slice(from.length), body: Buffer.from(text) }));
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
