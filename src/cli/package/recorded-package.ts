import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { parseJsonObject } from "../../apimachinery/parse-json-object.ts";
import { parseSemver } from "../../olm/semver.ts";
import type { Io } from "../io.ts";

interface RecordedPackage {
  readonly root: string;
  readonly version: string;
}

interface Wanted {
  /** The project. */
  readonly root: string;
  /** The version that its PROJECT records. */
  readonly version: string;
  /** A folder for the package if it has to be installed. */
  readonly temporary: string;
}

/**
 * Returns the tsop of the recorded version: the one in the project's node_modules, or else one that npm installs from
 * the project's vendor/ or from its registry.
 */
export async function findRecordedPackage(io: Io, { root, version, temporary }: Wanted): Promise<RecordedPackage> {
  // PROJECT may come from anywhere, and npm takes other things than versions after the @, such as URLs.
  if (!parseSemver(version))
    throw new TsopError("TSOP_BASE_UNKNOWN", { reason: `cliVersion ${version} is not a version` });
  const installed = join(root, "node_modules/tsop");
  if ((await versionOf(installed, io)) === version) return { root: installed, version };
  const tarball = `tsop-${version}.tgz`;
  const isVendored = (await io.disk.list(join(root, "vendor"))).includes(tarball);
  const spec = isVendored ? join(root, "vendor", tarball) : `tsop@${version}`;
  const args = [
    "install",
    "--prefix",
    temporary,
    "--no-save",
    "--ignore-scripts",
    "--no-fund",
    "--no-audit",
    "--loglevel=error",
    spec,
  ];
  const { exitCode, stderr } = await io.run("npm", args, { cwd: temporary, signal: io.signal });
  const found = join(temporary, "node_modules/tsop");
  if (exitCode === 0 && (await versionOf(found, io)) === version) return { root: found, version };
  const reason = stderr.trim().split("\n")[0] || `exit ${exitCode}`;
  throw new TsopError("TSOP_BASE_UNKNOWN", {
    reason: `tsop ${version}, which wrote it, can't be installed: ${reason}`,
  });
}

/** Returns the version of a tsop in a folder; `undefined` if the folder is no such package. */
export async function versionOf(folder: string, { disk }: Pick<Io, "disk">): Promise<string | undefined> {
  const file = join(folder, "package.json");
  const text = await disk.read(file);
  if (text === undefined) return undefined;
  const { name, version } = parseJsonObject(text, file) as { name?: string; version?: string };
  return name === "tsop" ? version : undefined;
}

/** Reports whether two folders contain the same build of tsop: builds that are not published share a version. */
export async function isSameBuild(root: string, other: string, { disk }: Pick<Io, "disk">): Promise<boolean> {
  if ((await disk.realPath(root)) === (await disk.realPath(other))) return true;
  const [paths, others] = await Promise.all([root, other].map((folder) => disk.list(join(folder, "dist"))));
  if (paths!.join("\n") !== others!.join("\n")) return false;
  for (const path of paths!) {
    const [text, otherText] = await Promise.all([root, other].map((folder) => disk.read(join(folder, "dist", path))));
    if (text !== otherText) return false;
  }
  return true;
}
