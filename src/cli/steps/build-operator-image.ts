import { dirname, resolve, join } from "node:path";
import { UsageError, TsopError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import { buildImage, type OperatorImage } from "../../image/build-image.ts";
import { provenanceType, renderProvenance } from "../../image/documents/provenance.ts";
import { renderSbom, sbomTypes } from "../../image/documents/sbom.ts";
import { readRevision } from "../../image/revision.ts";
import { formatPlatform } from "../../oci/manifest.ts";
import { attach, pushImage, type Attachment } from "../../oci/image/push-image.ts";
import { withDigest } from "../../oci/registry/image-reference.ts";
import type { RegistryClient } from "../../oci/registry/registry-client.ts";
import { findProjectRoot } from "../../project/load-project.ts";
import { packageManagerWords, findPackageManager } from "../../project/scaffold/init/package-manager.ts";
import type { Io } from "../io.ts";
import { changeAndReport } from "./apply-plan.ts";
import { openImageTools, writeOutput, type BuiltImageFlags } from "./write-image.ts";
import { writeFile } from "node:fs/promises";
import { withTemporaryFolder } from "./run-tsop.ts";

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
  await changeAndReport(io, change, () => ({ root: io.cwd, outside, changes }));
}

/** A document about an image, and the name that cosign has for its type. */
interface Document extends Attachment {
  readonly cosignType: string;
}

/**
 * Signs an image and its documents with cosign, which finds its key in its own variables, or asks for an identity. In a
 * workflow, that is the workflow's.
 */
async function signImage(io: Pick<Io, "run" | "signal">, image: string, documents: readonly Document[]): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await runCosign(io, ["sign", "--yes", image]);
    for (const { text, cosignType } of documents) {
      const file = join(folder, `${cosignType}.json`);
      // cosign makes the statement itself.
      const predicate = cosignType === "slsaprovenance1" ? predicateOf(text) : text;
      await writeFile(file, predicate);
      await runCosign(io, ["attest", "--yes", "--type", cosignType, "--predicate", file, image]);
    }
  });
}

async function runCosign({ run, signal }: Pick<Io, "run" | "signal">, args: readonly string[]): Promise<void> {
  const { exitCode } = await run("cosign", args, { output: "show", signal });
  if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  const reason = exitCode === 127 ? "it is not installed" : `exit code ${exitCode}`;
  if (exitCode !== 0) throw new TsopError("TSOP_COSIGN", { command: `cosign ${args[0]}`, reason });
}

function predicateOf(statement: string): string {
  return JSON.stringify((JSON.parse(statement) as { predicate: unknown }).predicate);
}
