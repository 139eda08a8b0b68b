import { join, posix } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Annotations } from "../oci/manifest.ts";
import type { BlobCache } from "../oci/image/blob-cache.ts";
import { extendBase } from "../oci/image/extend-base.ts";
import { makeLayer, type Image } from "../oci/image/image.ts";
import { readBase, type Base } from "../oci/image/read-base.ts";
import type { RegistryClient } from "../oci/registry/registry-client.ts";
import { findPackageManager } from "../project/scaffold/init/package-manager.ts";
import { bundleOperator, type Host } from "./bundle-operator.ts";
import { findPackages, type PackageFacts, type BundledPackages } from "./bundled-packages.ts";
import type { SbomInput } from "./documents/sbom.ts";
import { readDockerfile } from "./read-dockerfile.ts";
import type { Disk } from "../files/disk.ts";
import type { TarEntry } from "../files/tar.ts";

export interface BuildOptions {
  readonly root: string;
  /** Replaces the base that the Dockerfile names. */
  readonly base?: string | undefined;
  /** The digest that the tag of the base had. */
  readonly baseDigest?: string | undefined;
  /** The Dockerfile, relative to the root. */
  readonly file: string;
  readonly created: Date;
  readonly tsopVersion: string;
  readonly signal: AbortSignal;
}

export interface BuildTools {
  readonly host: Host;
  readonly registry: RegistryClient;
  readonly cache: BlobCache;
}

/** The image of an operator, and what its documents are made of. */
export interface OperatorImage {
  readonly image: Image;
  readonly base: Base;
  readonly sbom: SbomInput;
  /** The user of its processes, as the configuration names it. */
  readonly user: string;
}

/** Builds the image of the operator in a folder. */
export async function buildImage(options: BuildOptions, tools: BuildTools): Promise<OperatorImage> {
  const { root, file, created, tsopVersion, signal } = options;
  const { host, registry, cache } = tools;
  const { disk } = host;
  const text = await disk.read(join(root, file));
  if (text === undefined) throw new TsopError("TSOP_IMAGE_DOCKERFILE", { file, reason: "it does not exist" });
  const recipe = readDockerfile(text, file);
  const manager = await findPackageManager(root, disk);
  const { files, metafile } = await bundleOperator(host, { root, manager, folder: recipe.from, signal });
  const found = await findPackages(metafile, { root, manager }, disk);
  const inImage = files.map(({ path, body }) => ({ path: posix.join(recipe.to, path), body }));
  const layer = makeLayer([...inImage, ...(await licenseFiles(found, disk))], created);
  const base = await readBase(options.base ?? recipe.base, { registry, cache, pinned: options.baseDigest });
  const config = { ...recipe.config, Labels: { ...labelsOf(found.own), ...recipe.config.Labels } };
  const image = extendBase(base, { layer, config, created, createdBy: "tsop image build" });
  const user = recipe.config.User ?? base.platforms[0]?.config.config?.User ?? "";
  return { image, base, sbom: { ...found, files: inImage, created, tsopVersion }, user };
}

/** Returns the labels of the OCI about the operator, and those that a certification by Red Hat requires. */
function labelsOf({ name, version, license, description, author }: PackageFacts): Annotations {
  const vendor = typeof author === "string" ? author.replace(/\s*[<(].*$/, "") : author?.name;
  const text = description ?? `The Kubernetes operator ${name}`;
  return {
    name,
    version,
    release: "1",
    summary: text,
    description: text,
    vendor: vendor || name,
    maintainer: vendor || name,
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.description": text,
    ...(license && { "org.opencontainers.image.licenses": license }),
    ...(vendor && { "org.opencontainers.image.vendor": vendor }),
  };
}

const isLicense = (name: string): boolean => /^(licen[cs]es?|copying|notice)([.-].*)?$/i.test(name);

/** Collects the licenses of an operator and of the packages in its bundle, for `/licenses` in its image. */
async function licenseFiles({ own, packages }: BundledPackages, disk: Disk): Promise<TarEntry[]> {
  const entries = [own, ...packages].map(async ({ id, folder }): Promise<TarEntry[]> => {
    const target = id === own.id ? "licenses" : posix.join("licenses", id);
    // A package that contains others lists their licenses next to its code.
    const paths = await disk.list(folder, { skip: (name) => !isLicense(name) && name !== "dist" });
    const files = paths.filter((path) => isLicense(posix.basename(path)) && path.split("/").length < 3);
    return Promise.all(
      files.map(async (path) => ({
        path: posix.join(target, posix.basename(path)),
        body: Buffer.from((await disk.read(join(folder, path))) ?? ""),
      })),
    );
  });
  return (await Promise.all(entries)).flat();
}
