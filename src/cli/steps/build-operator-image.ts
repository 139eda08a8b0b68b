import { dirname, resolve } from "node:path";
import { UsageError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import { buildImage, type OperatorImage } from "../../image/build-image.ts";
import { provenanceType, renderProvenance } from "../../image/documents/provenance.ts";
import { renderSbom, sbomTypes } from "../../image/documents/sbom.ts";
import { readRevision } from "../../image/revision.ts";
import { formatPlatform } from "../../oci/manifest.ts";
import { attach, pushImage } from "../../oci/image/push-image.ts";
import { withDigest } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { findProjectRoot } from "../../project/find-project-root.ts";
import { packageManagerWords } from "../../project/scaffold/init/package-manager.ts";
import { findPackageManager } from "../../project/scaffold/init/package-manager.ts";
import type { Io } from "../io.ts";
import { applyAndReport } from "./apply-plan.ts";
import { changeFolder } from "./change-folder.ts";
import { signImage, type Document } from "./sign-image.ts";
import { openImageTools, writeOutput, type BuiltImageFlags } from "./write-image.ts";

export interface ImageFlags extends BuiltImageFlags {
  readonly base?: string;
  readonly file: string;
  readonly sbom?: string;
  readonly sign?: true;
}

/** Builds the operator's image, and writes and pushes what the flags ask for. Prints the digest. */
export async function buildOperatorImage(io: Io, flags: ImageFlags): Promise<void> {
  if (flags.sign && flags.push === undefined)
    throw new UsageError("--sign needs --push: cosign signs an image in its registry");
  const { outputs, registry, cache, created, tsopVersion } = await openImageTools(io, flags);
  const root = await findProjectRoot(io.cwd, io.disk);
  // Before the outputs are written: they would count as changes of the sources.
  const revision = flags.push === undefined ? undefined : await readRevision(io, { root, signal: io.signal });
  const options = { root, base: flags.base, file: flags.file, created, tsopVersion, signal: io.signal };
  const built = await buildImage(options, { host: io, registry, cache });
  const platforms = built.base.platforms.map(({ platform }) => formatPlatform(platform));
  io.stderr.write(`built on ${built.base.name} for ${platforms.join(", ")}\n`);
  if (!/^[1-9]\d*(:|$)/.test(built.user))
    io.stderr.write(
      `warning: the image runs as ${built.user || "root"}, which runAsNonRoot rejects: USER 65532:65532\n`,
    );
  if (flags.sbom !== undefined) await writeSbom(io, flags.sbom, built);
  for (const output of outputs) await writeOutput(io, output, { image: built.image, name: flags.tag ?? flags.push });
  const { digest } = built.image.root.descriptor;
  if (flags.push === undefined) {
    io.stdout.write(`${digest}\n`);
    return;
  }
  const name = withDigest(flags.push, digest);
  const manager = await findPackageManager(root, io.disk);
  const { lockFile } = packageManagerWords[manager];
  const provenance = renderProvenance({
    subject: { name: name.slice(0, name.indexOf("@")), digest },
    base: built.base,
    platforms,
    revision,
    lock: { file: lockFile, text: (await io.disk.read(resolve(root, lockFile))) ?? "" },
    created,
    tsopVersion,
    env: io.env,
  });
  const documents: Document[] = [
    { type: sbomTypes.cyclonedx, text: renderSbom("cyclonedx", built.sbom), cosignType: "cyclonedx" },
    { type: sbomTypes.spdx, text: renderSbom("spdx", built.sbom), cosignType: "spdxjson" },
    { type: provenanceType, text: provenance, cosignType: "slsaprovenance1" },
  ];
  await push(flags.push, { built, documents }, registry);
  io.stderr.write(`pushed ${flags.push}\n`);
  if (flags.sign) await signImage(io, name, documents);
  io.stdout.write(`${name}\n`);
}

async function push(
  name: string,
  { built, documents }: { readonly built: OperatorImage; readonly documents: readonly Document[] },
  registry: RegistryClient,
): Promise<void> {
  await pushImage(name, built.image, registry);
  // One after the other: registries without a list of referrers have an index of them, which each changes.
  for (const document of documents) await attach(name, built.image.root.descriptor, document, registry);
}

async function writeSbom(io: Io, path: string, { sbom }: OperatorImage): Promise<void> {
  const text = renderSbom(path.endsWith(".spdx.json") ? "spdx" : "cyclonedx", sbom);
  const relative = relativePath(io.cwd, resolve(io.cwd, path));
  const outside = [relativePath(io.cwd, dirname(resolve(io.cwd, path)))];
  const changes = [{ type: "create", path: relative, text, ifExists: "overwrite" }] as const;
  const change = { root: io.cwd, command: "tsop image build", flags: {} };
  await changeFolder(io, change, () => applyAndReport(io, { root: io.cwd, outside, changes }, {}));
}
