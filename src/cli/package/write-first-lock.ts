import { join } from "node:path";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "./own-package.ts";
import { vendoredSpec } from "./tsop-spec.ts";

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
export async function writeFirstLock({ disk }: Pick<Io, "disk">, root: string): Promise<boolean> {
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
