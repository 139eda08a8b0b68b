import { dirname, resolve } from "node:path";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { cacheFolder, openBlobCache, type BlobCache } from "../../oci/image/blob-cache.ts";
import type { Image } from "../../oci/image/image.ts";
import { dockerArchive, writeLayout } from "../../oci/image/write-layout.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import { connectRegistry } from "../../oci/registry/connect-registry.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { pushSettings, type RegistryFlags } from "../flags/registry-flags.ts";
import { sourceDate } from "../flags/source-date.ts";
import type { Io } from "../io.ts";
import { pushAndPrint } from "./push-and-print.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { buildEnvtestImage } from "../../image/envtest-image.ts";

/** The flags of commands that build an image. */
export interface BuiltImageFlags extends RegistryFlags {
  readonly push?: string;
  readonly output: readonly string[];
  readonly tag?: string;
}

/** What an image is built with, and written to. */
export interface ImageTools {
  readonly outputs: readonly Output[];
  readonly registry: RegistryClient;
  readonly cache: BlobCache;
  readonly created: Date;
  readonly tsopVersion: string;
}

/** Checks the names of an image before anything is built, and opens what building needs. */
export async function openImageTools(io: Io, flags: BuiltImageFlags): Promise<ImageTools> {
  const outputs = flags.output.map(readOutput);
  for (const name of [flags.push, flags.tag]) if (name !== undefined) parseImageReference(name);
  const { version: tsopVersion } = await loadOwnPackage(io.disk);
  const registry = await connectRegistry(pushSettings(io, flags));
  const cache = openBlobCache(cacheFolder(io.env));
  return { outputs, registry, cache, created: sourceDate(io) ?? new Date(0), tsopVersion };
}

/** Where an image is written to. */
interface Output {
  readonly type: "oci" | "docker";
  readonly path: string;
}

/** Parses `oci:FOLDER` and `docker:FILE`. */
function readOutput(output: string): Output {
  const [, type, path] = /^(oci|docker):(.+)$/.exec(output) ?? [];
  if (!path) throw new TsopError("TSOP_IMAGE_OUTPUT", { output });
  return { type: type as Output["type"], path };
}

/** Writes an image to disk; an archive for Docker has the platform of this machine. */
export async function writeOutput(
  io: Io,
  { type, path }: Output,
  { image, name }: { readonly image: Image; readonly name: string | undefined },
): Promise<void> {
  const target = resolve(io.cwd, path);
  if (type === "oci") {
    await writeLayout(image, { folder: target, name: name && parseImageReference(name).tag }, io.disk);
    io.stderr.write(`  written  ${path}\n`);
    return;
  }
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const { archive, platform } = await dockerArchive(image, { architecture, name });
  await io.disk.makeFolder(dirname(target));
  await io.disk.write(target, archive);
  io.stderr.write(`  written  ${path} (${platform})\n`);
}

export interface EnvtestImageFlags extends BuiltImageFlags {
  readonly base: string;
}

/** Builds the image of the embedded server, and writes and pushes what the flags ask for. Prints the digest. */
export async function buildEnvtest(io: Io, flags: EnvtestImageFlags): Promise<void> {
  const { push, output, tag, base } = flags;
  if (push === undefined && output.length === 0)
    throw new UsageError("nothing to do: give --push IMAGE or --output docker:FILE");
  const { outputs, registry, cache, created, tsopVersion } = await openImageTools(io, flags);
  const image = await buildEnvtestImage({ base, created, tsopVersion }, { disk: io.disk, registry, cache });
  for (const each of outputs) await writeOutput(io, each, { image, name: tag ?? push });
  if (push === undefined) return io.stdout.write(`${image.root.descriptor.digest}\n`);
  await pushAndPrint(io, push, image, registry);
}
