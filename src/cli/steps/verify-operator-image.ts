import { TsopError } from "../../errors/tsop-error.ts";
import { rebuildImage } from "../../image/rebuild-image.ts";
import { readPublished, type Verdict } from "../../image/verify-image.ts";
import { cacheFolder, openBlobCache } from "../../oci/image/blob-cache.ts";
import { connectRegistry } from "../../oci/registry/connect-registry.ts";
import { withDigest } from "../../oci/registry/image-reference.ts";
import { findProjectRoot } from "../../project/load-project.ts";
import { registrySettings, type RegistryFlags } from "../flags/registry-flags.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { withTemporaryFolder } from "./run-tsop.ts";

export interface VerifyFlags extends RegistryFlags {
  readonly base?: string;
  readonly file: string;
  readonly rebuild: boolean;
}

/** Verifies an image, prints each rule, and fails if one is broken. */
export async function verifyOperatorImage(io: Io, name: string, flags: VerifyFlags): Promise<void> {
  const registry = await connectRegistry(registrySettings(io, flags));
  const tools = { host: io, registry, cache: openBlobCache(cacheFolder(io.env)) };
  const published = await readPublished(name, tools);
  for (const verdict of published.verdicts) print(io, verdict);
  const rebuild = async (): Promise<Verdict> => {
    const root = await findProjectRoot(io.cwd, io.disk);
    const { version: tsopVersion } = await loadOwnPackage(io.disk);
    const options = { root, base: flags.base, file: flags.file, tsopVersion, signal: io.signal };
    return withTemporaryFolder((folder) => rebuildImage(published, { ...options, folder }, tools));
  };
  const last = flags.rebuild ? [await rebuild()] : [];
  for (const verdict of last) print(io, verdict);
  const all = [...published.verdicts, ...last];
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  if (failed > 0) throw new TsopError("TSOP_IMAGE_UNVERIFIED", { image: name, failed, all: all.length });
  io.stdout.write(`${withDigest(name, published.digest)}\n`);
}

function print({ stderr }: Pick<Io, "stderr">, { rule, failure }: Verdict): void {
  stderr.write(failure === undefined ? `  ok      ${rule}\n` : `  failed  ${rule}: ${failure}\n`);
}
