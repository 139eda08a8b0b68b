import { dirname, join, resolve } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "../files/disk.ts";
import { packageManagerWords, type PackageManager } from "../project/scaffold/init/package-manager.ts";
import type { Metafile } from "./bundle-operator.ts";
import { isObject } from "../apimachinery/is-object.ts";
import { parseYamlDocuments } from "../apimachinery/yaml/parse.ts";

/** The description of a package, as its package.json has it. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
  readonly description?: string;
  readonly author?: string | { readonly name?: string };
}

/** A package of which code is in a bundle. */
export interface BundledPackage extends PackageFacts, LockedPackage {
  readonly id: string;
  readonly folder: string;
  /** The packages that its code in the bundle imports. */
  readonly uses: readonly string[];
}

export interface BundledPackages {
  readonly own: BundledPackage;
  /** All others, in the order of their names. */
  readonly packages: readonly BundledPackage[];
}

interface Project {
  readonly root: string;
  readonly manager: PackageManager;
}

/** Finds the packages whose code is in a bundle. Each must be in the lock file: the image would differ elsewhere. */
export async function findPackages(
  metafile: Metafile,
  { root, manager }: Project,
  disk: Pick<Disk, "read">,
): Promise<BundledPackages> {
  const { lockFile } = packageManagerWords[manager];
  const lock = readLock((await disk.read(join(root, lockFile))) ?? "", manager);
  const owners = new Owners(root, disk);
  const inputs = new Set(
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const found = new Map<string, BundledPackage>();
  const uses = new Map<string, Set<string>>();
  for (const path of inputs) {
    const owner = await owners.find(path);
    if (!owner) continue;
    const id = idOf(owner);
    if (!found.has(id)) found.set(id, { ...owner, ...lock.get(id), id, uses: [] });
    if (!uses.has(id)) uses.set(id, new Set());
    for (const imported of metafile.inputs[path]?.imports ?? []) {
      const other = inputs.has(imported.path) ? await owners.find(imported.path) : undefined;
      if (other && idOf(other) !== id) uses.get(id)!.add(idOf(other));
    }
  }
  const all = [...found.values()].map((each) => ({ ...each, uses: [...uses.get(each.id)!].toSorted() }));
  const strange = all.find(({ id, folder }) => /[\\/]node_modules[\\/]/.test(folder) && !lock.has(id));
  if (strange)
    throw new TsopError("TSOP_IMAGE_LOCK", { package: strange.id, file: lockFile, install: installOf(manager) });
  const own = all.find(({ folder }) => folder === root);
  if (!own) throw new TsopError("TSOP_IMAGE_PACKAGE", { file: join(root, "package.json") });
  return { own, packages: all.filter((each) => each !== own).toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

function installOf(manager: PackageManager): string {
  return packageManagerWords[manager].installLocked;
}

function idOf({ name, version }: PackageFacts): string {
  return `${name}@${version}`;
}

type Owner = PackageFacts & { readonly folder: string };

/** The packages of files. */
class Owners {
  private readonly root: string;
  private readonly disk: Pick<Disk, "read">;
  private readonly known = new Map<string, Promise<Owner | undefined>>();

  constructor(root: string, disk: Pick<Disk, "read">) {
    this.root = root;
    this.disk = disk;
  }

  /** Finds the package of an input of esbuild, which is relative to the root. */
  find(input: string): Promise<Owner | undefined> {
    return this.inFolder(dirname(resolve(this.root, input)));
  }

  private inFolder(folder: string): Promise<Owner | undefined> {
    const known = this.known.get(folder) ?? this.read(folder);
    this.known.set(folder, known);
    return known;
  }

  /** Packages have further files of that name inside, which only say how modules are loaded. */
  private async read(folder: string): Promise<Owner | undefined> {
    const text = await this.disk.read(join(folder, "package.json"));
    const facts = JSON.parse(text ?? "{}") as Partial<PackageFacts>;
    const { name, version, description, author } = facts;
    // Old packages have an object or a list.
    const license = typeof facts.license === "string" ? facts.license : undefined;
    if (name && version)
      return { name, version, license, ...(description && { description }), ...(author && { author }), folder };
    return folder === dirname(folder) ? undefined : this.inFolder(dirname(folder));
  }
}

/** What a lock file says about a package. */
interface LockedPackage {
  /** The hash of its archive, as `sha512-<base64>`. */
  readonly integrity?: string;
  /** The URL of its archive. */
  readonly resolved?: string;
}

/** Reads the packages of a lock file, by `name@version`. */
export function readLock(text: string, manager: PackageManager): Map<string, LockedPackage> {
  const [document] = manager === "npm" ? [JSON.parse(text || "{}") as unknown] : parseYamlDocuments(text);
  const root = isObject(document) ? document : {};
  const packages = manager === "yarn" ? root : root["packages"];
  const entries = Object.entries(isObject(packages) ? packages : {});
  return new Map(entries.flatMap(([key, entry]) => (isObject(entry) ? readers[manager](key, entry) : [])));
}

type Entry = Readonly<Record<string, unknown>>;
type Row = readonly [id: string, locked: LockedPackage];

const readers: Readonly<Record<PackageManager, (key: string, entry: Entry) => Row[]>> = {
  npm(key, { name, version, integrity, resolved }) {
    const named = textOf(name) ?? key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
    const url = textOf(resolved);
    return row(`${named}@${textOf(version)}`, integrity, url?.startsWith("https:") ? url : undefined);
  },
  // A key may end in the packages that fulfil the peer dependencies: `a@1.0.0(b@2.0.0)`.
  pnpm(key, { resolution, version }) {
    const id = key.replace(/^\//, "").replace(/\(.*$/, "");
    const named = id.replace(/@file:.*$/, `@${textOf(version)}`);
    return row(named, isObject(resolution) ? resolution["integrity"] : undefined);
  },
  // The checksums of Yarn are hashes of archives that it makes itself.
  yarn(_key, { resolution, version }) {
    const name = /^(@?[^@]+)@/.exec(textOf(resolution) ?? "")?.[1];
    return name ? row(`${name}@${textOf(version)}`) : [];
  },
};

function row(id: string, integrity?: unknown, resolved?: string): Row[] {
  const hash = textOf(integrity);
  return [[id, { ...(hash && { integrity: hash }), ...(resolved && { resolved }) }]];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
