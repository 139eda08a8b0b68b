import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { PackageManager } from "../../project/scaffold/init/package-manager.ts";
import type { Io, RunResult } from "../io.ts";
import { packageFile } from "../../apimachinery/package-file.ts";
import { loadOwnPackage, vendoredSpec } from "./tsop-spec.ts";

/** Returns the version of a package manager that corepack can pin; throws if it is not installed. */
export async function packageManagerVersion(io: Io, root: string, manager: PackageManager): Promise<string> {
  const { exitCode, stdout } = await io.run(manager, ["--version"], { cwd: root, signal: io.signal });
  if (exitCode === 127) throw new TsopError("TSOP_PACKAGE_MANAGER_MISSING", { manager });
  return stdout.trim();
}

/** Installs a project's dependencies and shows the progress on a terminal. */
export async function installDependencies(io: Io, root: string, manager: PackageManager): Promise<void> {
  const stop = io.stderr.isTTY ? showProgress(io, `${manager} install`) : () => {};
  const args = manager === "npm" ? ["install", "--no-fund", "--no-audit", "--loglevel=error"] : ["install"];
  const install = async (): Promise<RunResult> => {
    refuseIfInterrupted(io, manager);
    const result = await io.run(manager, args, { cwd: root, signal: io.signal });
    refuseIfInterrupted(io, manager);
    return result;
  };
  try {
    const isLocked = manager === "npm" && (await writeFirstLock(io, root));
    let result = await install();
    // A registry may lack one of the versions.
    if (result.exitCode !== 0 && isLocked) {
      await io.disk.remove(join(root, "package-lock.json"));
      result = await install();
    }
    const { exitCode, stdout, stderr } = result;
    if (exitCode !== 0) {
      const reason = (stderr.trim() || stdout.trim() || `exit ${exitCode}`).split("\n").slice(0, 12).join("\n");
      throw new TsopError("TSOP_INSTALL_FAILED", { manager, reason });
    }
  } finally {
    stop();
  }
}

function refuseIfInterrupted(io: Io, manager: PackageManager): void {
  if (io.signal.aborted) throw new TsopError("TSOP_INSTALL_INTERRUPTED", { manager });
}

/** Shows a line that counts the seconds; returns a function that removes it. */
function showProgress(io: Io, what: string): () => void {
  const start = io.now().getTime();
  const draw = (): void => {
    const seconds = Math.round((io.now().getTime() - start) / 1000);
    io.stderr.write(`\r  ${what} … ${seconds} s`);
  };
  draw();
  const timer = setInterval(draw, 1000);
  return () => {
    clearInterval(timer);
    io.stderr.write("\r\u001b[K");
  };
}

type Manifest = Readonly<Record<string, unknown>>;

/** The fields of a package.json that npm repeats in a lock file: of the project, and of a package. */
const projectFields = ["name", "version", "dependencies", "devDependencies", "engines"];
const packageFields = [
  "version",
  "license",
  "dependencies",
  "bin",
  "engines",
  "peerDependencies",
  "peerDependenciesMeta",
];

/**
 * Writes the first package-lock.json of a project, with the packages that tsop was tested with: npm then asks for no
 * versions, which takes half of the time of an installation. Returns false if the project has a lock file, or a tsop
 * that is not the running one.
 */
async function writeFirstLock({ disk }: Pick<Io, "disk">, root: string): Promise<boolean> {
  const path = join(root, "package-lock.json");
  const text = await disk.read(join(root, "package.json"));
  if (text === undefined || (await disk.read(path)) !== undefined) return false;
  const project = JSON.parse(text) as Manifest & { readonly name: string; readonly version: string };
  const own = await loadOwnPackage(disk);
  const spec = (project["dependencies"] as Manifest | undefined)?.["tsop"];
  const vendored = vendoredSpec(own.version);
  if (spec !== vendored && spec !== `^${own.version}`) return false;
  const packages = JSON.parse((await disk.read(packageFile("src/cli/package/tested-packages.json"))) ?? "{}") as object;
  const tsop = JSON.parse((await disk.read(join(own.root, "package.json"))) ?? "{}") as Manifest;
  const lock = {
    name: project.name,
    version: project.version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": pick(project, projectFields),
      ...packages,
      "node_modules/tsop": { ...(spec === vendored && { resolved: vendored }), ...pick(tsop, packageFields) },
    },
  };
  try {
    await disk.write(path, `${JSON.stringify(lock, undefined, 2)}\n`);
    return true;
  } catch {
    // A full disk, say: the package manager reports it better.
    await disk.remove(path);
    return false;
  }
}

function pick(manifest: Manifest, fields: readonly string[]): Manifest {
  return Object.fromEntries(fields.map((field) => [field, manifest[field]]));
}
