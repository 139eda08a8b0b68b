import {
  containersOf,
  type ClusterServiceVersion,
  type Container,
  type RelatedImage,
  type StrategyDeployment,
} from "../csv/csv.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";

/** Returns all images that a CSV names. */
export function imagesOf(csv: ClusterServiceVersion): string[] {
  return [...new Set(usesOf(csv).map(({ image }) => image))];
}

/** Replaces tags by digests in every image reference, and lists all images as related images. */
export function pinImages(csv: ClusterServiceVersion, pinned: ReadonlyMap<string, string>): ClusterServiceVersion {
  const pin = (image: string): string => pinned.get(image) ?? image;
  const { install } = csv.spec;
  const deployments = install?.spec?.deployments?.map((deployment) => pinDeployment(deployment, pin)) ?? null;
  const annotations = Object.entries(csv.metadata.annotations ?? {}).map(([key, text]) => [
    key,
    text.replace(run, (word) => {
      const image = imageIn(word);
      return image ? word.replace(image, pin(image)) : word;
    }),
  ]);
  return {
    ...csv,
    metadata: { ...csv.metadata, annotations: Object.fromEntries(annotations) as Record<string, string> },
    spec: {
      ...csv.spec,
      ...(install ? { install: { ...install, spec: { ...install.spec, deployments } } } : {}),
      relatedImages: listImages(usesOf(csv), pin),
    },
  };
}

interface Use extends RelatedImage {
  /** A name to use if others have the same. */
  readonly longName: string;
}

function usesOf({ spec, metadata }: ClusterServiceVersion): Use[] {
  const listed = (spec.relatedImages ?? []).map(({ name, image }) => ({ name, longName: name, image }));
  const deployed = (spec.install?.spec?.deployments ?? []).flatMap(({ name, spec }) =>
    containersOf(spec.template?.spec ?? {}).flatMap((container) => usesOfContainer(container, name)),
  );
  const annotated = Object.values(metadata.annotations ?? {}).flatMap((text) =>
    [...text.matchAll(run)].flatMap(([word]) => imageIn(word) ?? []),
  );
  return [...listed, ...deployed, ...annotated.map((image) => ({ ...namedAfter(image), image }))];
}

function usesOfContainer({ name, image, env = [] }: Container, deployment: string): Use[] {
  const own = image ? [{ name, longName: `${deployment}-${name}`, image }] : [];
  const variables = env.filter((variable) => isRelatedImage(variable) && variable.value);
  return [
    ...variables.map((variable) => {
      const short = variable.name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
      return { name: short, longName: `${deployment}-${name}-${short}`, image: String(variable.value) };
    }),
    ...own,
  ];
}

const prefix = "RELATED_IMAGE_";

function isRelatedImage({ name }: { name: string }): boolean {
  return name.startsWith(prefix);
}

/** Runs of characters that image references consist of. */
const run = /[a-zA-Z0-9/\-._@:]+/g;
const imagePattern =
  /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::\d+)?(?:\/[a-z0-9._-]+)+(?::[\w][\w.-]*|@sha256:[0-9a-f]{64})$/;

function imageIn(word: string): string | undefined {
  const trimmed = word.replace(/^[^a-zA-Z0-9]+|[^a-zA-Z0-9]+$/g, "");
  return imagePattern.test(trimmed) ? trimmed : undefined;
}

/** Returns the name of an image that only an annotation mentions: its own. */
function namedAfter(image: string): { name: string; longName: string } {
  const [, repository = "", version = ""] = /([^/:@]+)[:@](?:sha256:)?([^:@]+)$/.exec(image) ?? [];
  const name = `${repository}-${version}-annotation`;
  return { name, longName: name };
}

/** Pins the images of a Deployment. Variables and arguments of any name that hold an image are pinned. */
function pinDeployment(deployment: StrategyDeployment, pin: (image: string) => string): StrategyDeployment {
  const pinAll = (value: unknown): unknown => {
    if (typeof value === "string") return pin(value);
    if (Array.isArray(value)) return value.map(pinAll);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pinAll(member)]));
  };
  return { ...deployment, spec: pinAll(deployment.spec) as StrategyDeployment["spec"] };
}

/** Lists each image once, by its first name; names of different images differ. */
function listImages(uses: readonly Use[], pin: (image: string) => string): RelatedImage[] {
  const byImage = new Map<string, Use>();
  for (const use of uses) {
    const image = pin(use.image);
    const known = byImage.get(image);
    if (!known || (known.name === "" && use.name !== "")) byImage.set(image, { ...use, image });
  }
  const all = [...byImage.values()];
  const isAmbiguous = ({ name }: Use): boolean => all.filter((other) => other.name === name).length > 1;
  return all.map((use) => ({ name: isAmbiguous(use) ? use.longName : use.name, image: use.image }));
}

/**
 * Resolves images to digests: `host/name:tag` to `host/name@sha256:…`. Images in `known` (with a digest, or an image
 * with one) are not requested, so that a bundle can be made without a registry.
 */
export async function resolveDigests(
  images: readonly string[],
  known: Readonly<Record<string, string>>,
  registry: () => Promise<RegistryClient>,
): Promise<Map<string, string>> {
  const resolve = async (image: string): Promise<[string, string]> => {
    const reference = parseImageReference(image);
    if (reference.digest) return [image, image];
    const name = image.replace(/:[^:/]*$/, "");
    const digest = known[image]?.replace(/^.*@/, "") ?? (await (await registry()).resolveDigest(reference));
    return [image, `${name}@${digest}`];
  };
  return new Map(await Promise.all(images.map(resolve)));
}

/** Reads a file that maps images to digests. */
export async function readDigestMap(file: string, disk: Pick<Disk, "read">): Promise<Record<string, string>> {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_DIGEST_MAP", { file, reason });
  };
  const text = (await disk.read(file)) ?? refuse("the file does not exist");
  const [map] = parseDocuments(text, file);
  if (typeof map !== "object" || map === null) return refuse("it must be a map from images to digests");
  for (const [image, digest] of Object.entries(map)) {
    if (!/^(.+@)?sha256:[0-9a-f]{64}$/.test(String(digest)))
      refuse(`the digest of ${image} is not sha256: and 64 hexadecimal digits`);
  }
  return map as Record<string, string>;
}
