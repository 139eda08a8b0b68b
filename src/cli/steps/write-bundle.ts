import { join, resolve } from "node:path";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import type { ClusterServiceVersion } from "../../olm/csv/csv.ts";
import { loadBundleInput } from "../../olm/generate/load-input.ts";
import { planBundle } from "../../olm/generate/plan-bundle.ts";
import { loadProject, type LoadedProject } from "../../project/load-project.ts";
import { changeAndReport, quietIf, type WriteFlags } from "./apply-plan.ts";
import { sourceDate } from "../flags/source-date.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { registrySettings, type RegistryFlags } from "../flags/registry-flags.ts";
import { readStdin } from "../terminal/read-stdin.ts";

export interface GenerateBundleFlags extends WriteFlags, RegistryFlags {
  readonly useImageDigests?: boolean;
  readonly imageDigestMap?: string;
  readonly manifests?: boolean;
  readonly metadata?: boolean;
  readonly version?: string;
  readonly package?: string;
  readonly inputDir?: string;
  readonly deployDir?: string;
  readonly crdsDir?: string;
  readonly kustomizeDir: string;
  readonly outputDir?: string;
  readonly channels: string;
  readonly defaultChannel?: string;
  readonly extraServiceAccounts: string[];
  readonly overwrite: boolean;
  readonly stdout?: boolean;
  readonly quiet?: boolean;
}

/** Creates a bundle according to the flags. */
export async function generateBundle(io: Io, flags: GenerateBundleFlags): Promise<void> {
  if (flags.stdout && flags.outputDir) throw new UsageError("--stdout and --output-dir exclude each other");
  if (flags.imageDigestMap !== undefined && !flags.useImageDigests)
    throw new UsageError("--image-digest-map needs --use-image-digests");
  if (!flags.channels.split(",").every((channel) => channel.trim()))
    throw new UsageError("--channels: write names of channels, separated by commas");
  const at = (path: string | undefined): string | undefined => (path && path !== "-" ? resolve(io.cwd, path) : path);
  const loaded = await projectIfAny(io, flags.package);
  const root = loaded?.root ?? io.cwd;
  const packageName = flags.package ?? loaded!.project.projectName;
  const only = flags.manifests || flags.metadata;
  const manifests = !only || flags.manifests === true;
  const base = join(resolve(root, flags.kustomizeDir), "bases", `${packageName}.clusterserviceversion.yaml`);
  const { inputDir, deployDir, crdsDir } = flags;
  const input = { inputDir: at(inputDir), deployDir: at(deployDir), crdsDir: at(crdsDir), base };
  const objects = manifests ? await loadBundleInput({ ...input, stdin: () => readStdin(io) }, io.disk) : [];
  const { version: own } = await loadOwnPackage(io.disk);
  const planned = await planBundle(
    objects,
    {
      root,
      folder: relativePath(root, resolve(io.cwd, flags.outputDir ?? join(root, "bundle"))),
      manifests,
      metadata: !flags.stdout && (!only || flags.metadata === true),
      overwrite: flags.overwrite,
      packageName,
      version: flags.version,
      channels: flags.channels,
      defaultChannel: flags.defaultChannel,
      extraServiceAccounts: flags.extraServiceAccounts,
      builder: `tsop-v${own}`,
      layout: loaded?.project.layout.join(",") ?? "unknown",
      now: sourceDate(io) ?? io.now(),
      pin: flags.useImageDigests ? (csv) => pinCsv(io, csv, flags) : undefined,
      warn: (text) => void (flags.quiet || io.stderr.write(`warning: ${text}\n`)),
    },
    io.disk,
  );
  if (flags.stdout) return io.stdout.write(planned.manifests.map(({ text }) => `---\n${text}`).join(""));
  await changeAndReport(quietIf(flags.quiet, io), { root, command: "tsop generate bundle", flags }, () => planned.plan);
}

async function pinCsv(io: Io, csv: ClusterServiceVersion, flags: GenerateBundleFlags): Promise<ClusterServiceVersion> {
  const { imagesOf, pinImages, readDigestMap, resolveDigests } = await import("../../olm/digests/pin-images.ts");
  const { connectRegistry } = await import("../../oci/registry/connect-registry.ts");
  const { imageDigestMap: file } = flags;
  const known = file === undefined ? {} : await readDigestMap(resolve(io.cwd, file), io.disk);
  const connect = (): ReturnType<typeof connectRegistry> => connectRegistry(registrySettings(io, flags));
  return pinImages(csv, await resolveDigests(imagesOf(csv), known, connect));
}

/** Loads the project; without one, the package must be named by a flag. */
async function projectIfAny(io: Io, packageName: string | undefined): Promise<LoadedProject | undefined> {
  return loadProject(io.cwd, io.disk).catch((error: unknown) => {
    const isAbsent = error instanceof TsopError && error.code === "TSOP_PROJECT_NOT_FOUND";
    if (isAbsent && packageName !== undefined) return undefined;
    throw error;
  });
}
